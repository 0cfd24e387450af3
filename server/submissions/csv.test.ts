import { expect, it } from 'vitest'
import { csvLine } from './csv.ts'

it.each([
  [['a', 'b'], 'a,b'],
  [['a,b', 'c'], '"a,b",c'],
  [['say "hi"'], '"say ""hi"""'],
  [['two\nlines'], '"two\nlines"'],
  [['=1+1', '+1', '-1', '@x', '\tx'], "'=1+1,'+1,'-1,'@x,'\tx"],
  [['\rx'], '"\'\rx"'],
  [['=HYPERLINK("x";"y")'], '"\'=HYPERLINK(""x"";""y"")"'],
  [['1-2', ''], '1-2,'],
])('writes %j as %s', (cells, line) => expect(csvLine(cells)).toBe(`${line}\r\n`))
