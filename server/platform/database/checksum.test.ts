import { expect, it } from 'vitest'
import { checksumOf } from './checksum.ts'

const base = `CREATE TABLE a (id int, name text DEFAULT 'x  y'); SELECT 1 - 2, $$ body -- stays $$;`

it.each([
  [
    'line comments',
    `-- why\nCREATE TABLE a (id int, -- the id\n name text DEFAULT 'x  y'); SELECT 1 - 2, $$ body -- stays $$; -- end`,
  ],
  [
    'block comments',
    `/* why */CREATE/**/TABLE a (id int, name text DEFAULT 'x  y'); SELECT 1 /* - */ - 2, $$ body -- stays $$;`,
  ],
  ['nested comments', `/* a /* 'b */ c */ ${base}`],
  ['quotes in comments', `-- it's "the $$ table\n${base} /* don't */`],
  ['a comment beside an operator', base.replace('1 - 2', '1 ---\n2').replace('---', '- --')],
  ['white space', base.replaceAll('; ', ';\r\n\n\t').replace('(id int,', '( id\fint ,')],
])('is the same with other %s', (_, sql) => {
  expect(checksumOf(sql)).toBe(checksumOf(base))
})

it.each([
  ["SELECT 'a -- b'", "SELECT 'a'"],
  ["SELECT 'a /* b */ c'", "SELECT 'a  c'"],
  ["SELECT 'a b'", "SELECT 'a  b'"],
  ["SELECT 'it''s -- 1'", "SELECT 'it''s -- 2'"],
  ["SELECT 'it''s'", "SELECT 'it' 's'"],
  ["SELECT E'\\' -- 1'", "SELECT E'\\' -- 2'"],
  ["SELECT E'a'", "SELECT E 'a'"],
  ["SELECT U&'a'", "SELECT U & 'a'"],
  ['SELECT "a  -- b"', 'SELECT "a  -- c"'],
  ['SELECT $$ a -- b $$', 'SELECT $$ a $$'],
  ['SELECT $t$ $$ -- b $t$', 'SELECT $t$ $$ -- c $t$'],
  ['SELECT $a$ -- b $A$ -- c $a$', 'SELECT $a$ -- b $A$ -- d $a$'],
  ['SELECT a$b$ --$b$ x', 'SELECT a$b$ --$b$ y\n x'],
  ['SELECT 1 /* a */ + 2 */ 3', 'SELECT 1 + 3'],
  ['/* a /* b */ SELECT 1; */ SELECT 2', '/* a /* b */ */ SELECT 1; SELECT 2'],
  ['-- a\rSELECT 1', '-- a'],
  ['SELECT a b', 'SELECT ab'],
  ['SELECT a\u00a0b', 'SELECT a b'],
  ['SELECT a < = b', 'SELECT a <= b'],
  ['SELECT 1 - - 2', 'SELECT 1 -- 2'],
  ['DROP TABLE a', 'DROP TABLE b'],
])('tells %s from %s', (one, other) => {
  expect(checksumOf(one)).not.toBe(checksumOf(other))
})
