import { expect, it } from 'vitest'
import { csvLine } from './csv.ts'

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
