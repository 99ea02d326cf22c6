import { map } from 'rxjs'
import { describe, expect, it } from 'vitest'
import { scriptedSdk } from '../../streams/scripted-sdk.js'
import { createEngineScene, listen, type EngineScene } from './scene.js'

/** An engine whose WASM module is a scripted one. */
const createScene = (): EngineScene & { readonly status$: ReturnType<typeof statusOf> } => {
  const scene = createEngineScene({ ports: { sdk: scriptedSdk() } })
  return { ...scene, status$: statusOf(scene) }
}

const statusOf = ({ engine }: EngineScene) => engine.wasm.status$.pipe(map(({ status }) => status))

describe('wasm.status$', () => {
  it('is shared: a late subscriber gets the current state at once, then what all others get', async () => {
    const { engine, status$ } = createScene()
    const first = listen(status$)
    await engine.wasm.init()
    const second = listen(status$)
    engine.wasm.reset()
    expect(first.heard).toEqual(['idle', 'loading', 'ready', 'idle'])
    expect(second.heard).toEqual(['ready', 'idle'])
    await engine.dispose()
  })

  it('emits only changes: who asks for what is there or under way is not told of', async () => {
    const { engine, status$ } = createScene()
    const { heard } = listen(status$)
    engine.wasm.reset()
    await Promise.all([engine.wasm.init(), engine.wasm.init()])
    await engine.wasm.init()
    expect(heard).toEqual(['idle', 'loading', 'ready'])
    await engine.dispose()
  })

  it('never errors: a load that failed is a state, with its error', async () => {
    const { engine } = createEngineScene({ sdk: () => Promise.reject(new Error('blocked')) })
    const { heard, end } = listen(engine.wasm.status$)
    await expect(engine.wasm.init()).rejects.toMatchObject({ code: 'wasm-load-failed' })
    expect(heard.at(-1)).toMatchObject({ status: 'error', error: { code: 'wasm-load-failed' } })
    expect(end).toEqual([])
    await engine.dispose()
  })

  it('loads nothing by being watched, and completes with the engine', async () => {
    const { engine, status$ } = createScene()
    const { heard, end } = listen(status$)
    expect(heard).toEqual(['idle'])
    await engine.dispose()
    expect(end).toEqual(['complete'])
  })
})
