/** Runs before every test file, again each time, while what it imports is loaded once. */
import { afterAll } from 'vitest'
import { finishFile } from './afterwards.ts'

afterAll(finishFile)
