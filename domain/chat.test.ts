import { describe, expect, it } from 'vitest'
import { preview } from './chat.ts'

describe('a preview', () => {
  it('is the whole message if it is short enough', () => {
    expect(preview('Hello', 5)).toBe('Hello')
  })

  it('is cut between characters, never inside one', () => {
    expect(preview('😀'.repeat(6), 5)).toBe(`${'😀'.repeat(4)}…`)
  })

  it('masks card numbers before it cuts', () => {
    expect(preview('card 6006493012345678', 12)).toBe('card ••••')
  })
})
