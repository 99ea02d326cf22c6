import { describe, expect, it } from 'vitest'
import { ChainError } from '../../src/errors/chain-error.js'
import { reduceWasm, toWasmState, type WasmEvent, type WasmPhase } from '../../src/streams/wasm.js'
import { scriptedSdk } from './scripted-sdk.js'

const sdk = scriptedSdk()
const error = new ChainError('no network')

const idle: WasmPhase = { status: 'idle', load: 1 }
const loading: WasmPhase = { status: 'loading', load: 1 }
const ready: WasmPhase = { status: 'ready', load: 1, sdk }
const failed: WasmPhase = { status: 'error', load: 1, error }

const init: WasmEvent = { type: 'initRequested' }
const reset: WasmEvent = { type: 'resetRequested' }
const loaded: WasmEvent = { type: 'loaded', load: 1, sdk }
const refused: WasmEvent = { type: 'failed', load: 1, error }
const panicked: WasmEvent = { type: 'panicked', load: 1, error }

describe('reduceWasm', () => {
  it.each<[string, WasmPhase, WasmEvent, WasmPhase]>([
    ['loads on request', idle, init, { status: 'loading', load: 2 }],
    ['loads again after an error', failed, init, { status: 'loading', load: 2 }],
    ['is ready once loaded', loading, loaded, ready],
    ['fails when the load fails', loading, refused, failed],
    ['fails after a panic', ready, panicked, failed],
    ['is idle again when reset while loading', loading, reset, idle],
    ['is idle again when reset while ready', ready, reset, idle],
    ['is idle again when reset after an error', failed, reset, idle],
  ])('%s', (_, phase, event, next) => {
    expect(reduceWasm(phase, event)).toEqual(next)
  })

  it.each<[string, WasmPhase, WasmEvent]>([
    ['a second init while loading', loading, init],
    ['an init when ready', ready, init],
    ['a reset when idle', idle, reset],
    ['a load that finishes after a reset', idle, loaded],
    ['a load that fails after a reset', idle, refused],
    ['an older load that finishes while a newer one is in progress', { status: 'loading', load: 2 }, loaded],
    ['an older load that fails while a newer one is in progress', { status: 'loading', load: 2 }, refused],
    ['a load that finishes twice', ready, loaded],
    ['a failure after the load', ready, refused],
    ['a panic after a reset', idle, panicked],
    ['a panic of an older instance', { status: 'ready', load: 2, sdk }, panicked],
  ])('returns the same object after %s', (_, phase, event) => {
    expect(reduceWasm(phase, event)).toBe(phase)
  })

  it('shows the status and the error, without internals', () => {
    expect([idle, loading, ready, failed].map(toWasmState)).toEqual([
      { status: 'idle' },
      { status: 'loading' },
      { status: 'ready' },
      { status: 'error', error },
    ])
  })
})
