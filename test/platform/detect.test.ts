import { afterEach, expect, it, vi } from 'vitest'
import { isNode } from '../../src/platform/detect.js'
import { threads } from '../../src/sdk/light/worker-messages.js'

afterEach(() => void vi.unstubAllGlobals())

it('detects Node', () => {
  expect(isNode()).toBe(true)
})

it('takes a page that defines `process` as undefined for a browser', () => {
  vi.stubGlobal('process', undefined)
  const detected = [isNode(), threads()]
  vi.unstubAllGlobals()
  expect(detected).toEqual([false, undefined])
})
