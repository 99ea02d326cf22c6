import { map } from 'rxjs'
import { describe, expect, it } from 'vitest'
import { scriptedSdk } from '../../streams/scripted-sdk.js'
import { createEngineHarness, record, type EngineHarness } from './engine-harness.js'

/** An engine with a scripted WASM module. */
const createHarness = (): EngineHarness & { readonly status$: ReturnType<typeof statusOf> } => {
  const harness = createEngineHarness({ ports: { sdk: scriptedSdk() } })
  return { ...harness, status$: statusOf(harness) }
}

const statusOf = ({ engine }: EngineHarness) => engine.wasm.status$.pipe(map(({ status }) => status))

describe('wasm.status$', () => {
  it('is shared: replays the current state, then emits the same to all subscribers', async () => {
    const { engine, status$ } = createHarness()
    const first = record(status$)
    await engine.wasm.init()
    const second = record(status$)
    engine.wasm.reset()
    expect(first.received).toEqual(['idle', 'loading', 'ready', 'idle'])
    expect(second.received).toEqual(['ready', 'idle'])
  })

  it('emits only changes: repeated init() calls emit nothing', async () => {
    const { engine, status$ } = createHarness()
    const { received } = record(status$)
    engine.wasm.reset()
    await Promise.all([engine.wasm.init(), engine.wasm.init()])
    await engine.wasm.init()
    expect(received).toEqual(['idle', 'loading', 'ready'])
  })

  it('never errors: a failed load is a state with its error', async () => {
    const { engine } = createEngineHarness({ sdk: () => Promise.reject(new Error('blocked')) })
    const { received, end } = record(engine.wasm.status$)
    await expect(engine.wasm.init()).rejects.toMatchObject({ code: 'wasm-load-failed' })
    expect(received.at(-1)).toMatchObject({ status: 'error', error: { code: 'wasm-load-failed' } })
    expect(end).toEqual([])
  })

  it('loads nothing on subscription, and completes with the engine', async () => {
    const { engine, status$ } = createHarness()
    const { received, end } = record(status$)
    expect(received).toEqual(['idle'])
    await engine.dispose()
    expect(end).toEqual(['complete'])
  })
})
