import { afterEach, describe, expect, it } from 'vitest'
import { createParts } from '../../src/engine/core.js'
import type { CoreParts } from '../../src/engine/core-parts.js'
import { preloadWithKeys } from '../../src/engine/features/transactions.js'
import { light } from '../../src/sdk/light/light.js'

const opened: CoreParts[] = []

function openCore(): CoreParts {
  const core = createParts({ network: 'simnet', url: 'ws://127.0.0.1:1', autoConnect: false, sdk: light })
  opened.push(core)
  return core
}

afterEach(async () => {
  await Promise.all(opened.splice(0).map((core) => core.dispose()))
})

/** A load that counts its calls, and fails. */
function failingLoad(): { readonly load: () => Promise<unknown>; readonly count: () => number } {
  let count = 0
  const load = (): Promise<unknown> => {
    count++
    return Promise.reject(new Error('offline'))
  }
  return { load, count: () => count }
}

describe('code that is loaded with keys', () => {
  it('is loaded once keys are ready, and a failure is left to the first call', async () => {
    const core = openCore()
    const { load, count } = failingLoad()
    preloadWithKeys(core, load)
    expect(count()).toBe(0)
    await core.wasm.init()
    expect(count()).toBe(1)
    core.wasm.reset()
    await core.wasm.init()
    expect(count()).toBe(1)
  })

  it('is loaded at once where keys are ready already', async () => {
    const core = openCore()
    await core.wasm.init()
    const { load, count } = failingLoad()
    preloadWithKeys(core, load)
    expect(count()).toBe(1)
  })

  it('is not loaded by an engine that ends before', async () => {
    const core = openCore()
    const { load, count } = failingLoad()
    preloadWithKeys(core, load)
    await core.dispose()
    await core.wasm.init().catch(() => undefined)
    expect(count()).toBe(0)
  })
})
