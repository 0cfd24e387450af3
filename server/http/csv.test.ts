import { setImmediate } from 'node:timers/promises'
import { expect, it } from 'vitest'
import { csvLine, parseCsv, withoutGuard } from './csv.ts'

it.each([
  [['a', 'b'], 'a,b'],
  [['a,b', 'c'], '"a,b",c'],
  [['say "hi"'], '"say ""hi"""'],
  [['two\nlines'], '"two\nlines"'],
  [['=1+1', '+1', '-1', '@x', '\tx'], `'=1+1,'+1,'-1,'@x,"'\tx"`],
  [[' =1+1', '\u00a0@x', '\u200b+1', '\u0001-1'], "' =1+1,'\u00a0@x,'\u200b+1,'\u0001-1"],
  [['\uff1d1+1', '\n=1'], `'\uff1d1+1,"'\n=1"`],
  [['a;=1+1', 'b\t=1+1'], '"a;=1+1","b\t=1+1"'],
  [['\rx'], '"\'\rx"'],
  [['=HYPERLINK("x";"y")'], '"\'=HYPERLINK(""x"";""y"")"'],
  [['1-2', ''], '1-2,'],
])('writes %j as %s', (cells, line) => expect(csvLine(cells)).toBe(`${line}\r\n`))

it.each([
  [
    'a,b\r\nc,d\r\n',
    [
      ['a', 'b'],
      ['c', 'd'],
    ],
    [1, 2],
  ],
  ['\ufeffa;b', [['a;b']], [1]],
  ['"a,""b""",c\n\n , \n"two\nlines",x\rlast', [['a,"b"', 'c'], ['two\nlines', 'x'], ['last']], [1, 4, 6]],
  ['a,,\n', [['a', '', '']], [1]],
  ['"a"b,c"d', [['ab', 'c"d']], [1]],
  ['', [], []],
])('reads %j', async (text, cells, lines) => {
  const rows = await parseCsv(text, 10)
  expect(rows?.map((row) => row.cells)).toEqual(cells)
  expect(rows?.map(({ line }) => line)).toEqual(lines)
})

it('does not read a quote that is not closed', async () =>
  expect(await parseCsv('a,"b\nc', 10)).toBeUndefined())

it('stops after one row more than the maximum', async () => {
  expect(await parseCsv('a\n'.repeat(9), 2)).toHaveLength(3)
})

it.each([
  ['a quoted cell', `"${'a'.repeat(20_000)}"`],
  ['a quoted cell of quotes', `"${'""'.repeat(20_000)}"`],
  ['a quoted cell of lines', `"${'\n'.repeat(20_000)}"`],
  ['a cell', 'a'.repeat(20_000)],
  ['the end of a cell', `"a"${'b'.repeat(20_000)}`],
  ['a row', ','.repeat(1000)],
])('reads no file with %s that is too long', async (_, text) => {
  expect(await parseCsv(`a,b\n${text}`, 10)).toBeUndefined()
})

it.each(['a\n', '\n', 'a,'.repeat(999).concat('\n'), `"${'a'.repeat(9000)}"\n`])(
  'lets others work while it reads many times %j',
  async (text) => {
    let isDone = false
    const reading = parseCsv(text.repeat(Math.ceil(200_000 / text.length)), 100_000).finally(() => {
      isDone = true
    })
    await setImmediate()
    expect(isDone).toBe(false)
    expect(await reading).toBeDefined()
  },
)

it.each(['=1+1', '-1', "it's", "'quoted'", ' @x', 'plain'])('reads back what it wrote: %s', async (text) => {
  expect(withoutGuard((await parseCsv(csvLine([text, '']), 1))?.[0]?.cells[0] ?? '')).toBe(text)
})
