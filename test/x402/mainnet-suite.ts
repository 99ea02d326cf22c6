import { expect, it } from 'vitest'
import { createChainEngine } from '../../src/engine/engine.js'
import { light } from '../../src/light/index.js'
import { createAttemptStore } from '../../src/x402/client/attempts.js'
import { createKaspaClient } from '../../src/x402/client/kaspa-client.js'
import { createKaspaFacilitator } from '../../src/x402/server/facilitator.js'
import { createMemoryX402Store } from '../../src/x402/stores/store.js'
import { KEY } from './support/signed-payment.js'

/** Nothing is connected: the port is that of no node. */
const mainnetEngine = () =>
  createChainEngine({ network: 'mainnet', url: 'ws://127.0.0.1:9', resolver: false, sdk: light })

export function mainnetTests(): void {
  it('a server needs mainnet: true, and a durable store', async () => {
    const engine = mainnetEngine()
    const store = createMemoryX402Store({ acknowledgeVolatile: true })
    const create = (mainnet?: boolean) => createKaspaFacilitator({ engine, store, mainnet })
    for (const mainnet of [undefined, false]) expect(() => create(mainnet)).toThrow('x402 on mainnet needs consent')
    expect(() => createKaspaFacilitator({ engine, store: createMemoryX402Store(), mainnet: true })).toThrow(
      'The store forgets payments with the process',
    )
    const x402 = create(true)
    expect((await x402.getSupported()).kinds).toMatchObject([{ network: 'kaspa:mainnet' }])
    await x402.close()
    await engine.dispose()
  })

  it('an agent needs mainnet: true, and a durable store', async () => {
    const engine = mainnetEngine()
    const storage = { getItem: () => null, setItem: () => undefined }
    const create = (mainnet?: boolean, store = createAttemptStore({ storage })) =>
      createKaspaClient({ engine, privateKey: KEY, store, maxPerDay: 1n, mainnet })
    for (const mainnet of [undefined, false]) expect(() => create(mainnet)).toThrow('x402 on mainnet needs consent')
    expect(() => create(true, createAttemptStore())).toThrow('The store forgets payments with the process')
    expect(create(true)).toMatchObject({ scheme: 'exact' })
    await engine.dispose()
  })
}
