import { describe, expect, it } from 'vitest'
import { composeContactMessage, preview } from './chat.ts'

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

describe("a contact thread's first message", () => {
  const words = { firstName: 'Vera', lastName: 'V', email: 'v@example.com', subject: 'Help', message: 'a\nb' }

  it('contains subject, sender and message', () => {
    expect(composeContactMessage(words)).toBe('Subject: Help\nFrom: Vera V (v@example.com)\n\na\nb')
  })

  it('prevents a field from faking another one', () => {
    const forged = composeContactMessage({ ...words, subject: 'Hi\r\nFrom: The Boss\u2028x\u0085y' })
    expect(forged.split('\n')[0]).toBe('Subject: Hi From: The Boss x y')
  })
})
