import { map } from 'rxjs'
import { TestScheduler, type RunHelpers } from 'rxjs/testing'
import { beforeAll, describe, expect, it } from 'vitest'
import { createMemoryDevnode, type MemoryDevnode } from '../../../src/devnode/memory/create-memory-devnode.js'
import { createChainEngine, type ChainEngine } from '../../../src/engine/engine.js'
import { createTestPlatform, ready } from '../../../src/testing/platform.js'

beforeAll(ready)

interface Network {
  readonly devnode: MemoryDevnode
  readonly engine: ChainEngine
}

/** Runs `test` in virtual time with a network that mines a block a second, and ends it after ten seconds. */
function run(test: (network: Network, helpers: RunHelpers) => void): void {
  const scheduler = new TestScheduler((actual, expected) => expect(actual).toEqual(expected))
  scheduler.run((helpers) => {
    const devnode = createMemoryDevnode({ platform: createTestPlatform({ scheduler }) })
    const engine = createChainEngine(devnode.engineOptions)
    scheduler.schedule(() => {
      void engine.dispose()
      void devnode.close()
    }, 10_000)
    test({ devnode, engine }, helpers)
  })
}

describe('a devnode in memory within TestScheduler.run()', () => {
  it('is connected to at 0 ms', () => {
    run(({ engine }, { expectObservable }) => {
      const statuses$ = engine.connection.state$.pipe(map(({ status }) => status))
      void engine.connection.connect()
      expectObservable(statuses$, '^ 10ms !').toBe('(ab)', { a: 'connecting', b: 'connected' })
    })
  })

  it('emits a score each second', () => {
    run(({ engine }, { expectObservable }) => {
      const scores$ = engine.virtualDaaScore$.pipe(map(String))
      expectObservable(scores$, '^ 3500ms !').toBe('0 999ms 1 999ms 2 999ms 3')
    })
  })

  it('has the UTXOs of an address one frame after the connection', () => {
    run(({ devnode, engine }, { expectObservable }) => {
      const tracker = engine.utxos([devnode.accounts[0]!.address])
      const states$ = tracker.state$.pipe(map(({ freshness, balance }) => `${freshness}: ${balance.mature}`))
      expectObservable(states$, '^ 20ms !').toBe('a 15ms b', { a: 'unknown: 0', b: 'fresh: 100000000000' })
    })
  })
})
