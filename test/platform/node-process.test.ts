import { afterEach, expect, it, vi } from 'vitest'
import { builtins, isNode } from '../../src/platform/node-process.js'

afterEach(() => void vi.unstubAllGlobals())

it('detects Node and loads its modules', () => {
  expect(isNode()).toBe(true)
  expect(
    builtins()
      ?.getBuiltinModule('node:fs')
      .existsSync(import.meta.filename),
  ).toBe(true)
})

it.each([
  ['undefined', undefined],
  ['an object of its own', { env: {} }],
])('takes a page that defines `process` as %s for a browser', (_, process) => {
  vi.stubGlobal('process', process)
  const detected = [isNode(), builtins()]
  vi.unstubAllGlobals()
  expect(detected).toEqual([false, undefined])
})
