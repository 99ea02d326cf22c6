// @vitest-environment happy-dom
import { BehaviorSubject, ReplaySubject } from 'rxjs'
import { describe, expect, it } from 'vitest'
import { shallowRef } from 'vue'
import { useBalance } from '../../../src/adapters/vue/composables/useBalance.js'
import { useRpc } from '../../../src/adapters/vue/composables/useRpc.js'
import type { AddressSource } from '../../../src/streams/addresses.js'
import { createScriptedNode } from '../../../src/testing/scripted-node.js'
import { ALICE, BOB, payment, utxo } from '../../streams/utxos/utxo-fixtures.js'
import { toMempoolEntry } from '../../streams/utxos/unconfirmed/balance-harness.js'
import { withApp } from './with-app.js'

/** Alice and Bob have 1000 each, and Alice pays 100 of hers to Bob. */
const createNode = () =>
  createScriptedNode({
    validate: false,
    responses: {
      getUtxosByAddresses: ({ addresses }) => ({
        entries: addresses.map((address, index) =>
          utxo(10, { address, outpoint: { transactionId: (address === ALICE ? 'aa' : 'bb').repeat(32), index } }),
        ),
      }),
      getMempoolEntriesByAddresses: ({ addresses }) => {
        const spends = [utxo(10, { outpoint: { transactionId: 'aa'.repeat(32), index: 0 } })]
        const pending = toMempoolEntry(payment(50, { spends, pays: [[BOB, 100n], [ALICE, 890n]] })) // prettier-ignore
        return { entries: addresses.map((address) => ({ address, sending: [pending], receiving: [pending] })) }
      },
    },
  })

describe('useBalance', () => {
  it('has the parts of the balance, in sum and by address', async () => {
    const node = createNode()
    const { result } = withApp(node, () => ({ rpc: useRpc(), ...useBalance([ALICE, BOB]) }))
    expect([result.freshness.value, result.balance.value.total]).toEqual(['unknown', 0n])
    await result.rpc.connect()
    await expect
      .poll(() => result.balance.value)
      .toEqual({ total: 1_990n, mature: 1_000n, unconfirmed: 990n, immature: 0n, bound: 0n })
    expect(result.byAddress.value).toEqual({
      [ALICE]: { total: 890n, mature: 0n, unconfirmed: 890n, immature: 0n, bound: 0n },
      [BOB]: { total: 1_100n, mature: 1_000n, unconfirmed: 100n, immature: 0n, bound: 0n },
    })
    expect([result.freshness.value, result.error.value]).toEqual(['fresh', null])
    expect(structuredClone(result.byAddress.value)).toEqual(result.byAddress.value)
  })

  it('follows changed addresses', async () => {
    const addresses = shallowRef<string | null>(null)
    const { result } = withApp(createNode(), () => ({ rpc: useRpc(), ...useBalance(addresses) }))
    await result.rpc.connect()
    addresses.value = BOB
    await expect.poll(() => result.balance.value.total).toBe(1_100n)
    expect(Object.keys(result.byAddress.value)).toEqual([BOB])
  })

  it('has nothing of the account before, until another one has its first list', async () => {
    const scanned$ = new ReplaySubject<readonly string[]>(1)
    const account = shallowRef<AddressSource>({ addresses$: new BehaviorSubject([ALICE]) })
    const { result } = withApp(createNode(), () => ({ rpc: useRpc(), ...useBalance(account) }))
    await result.rpc.connect()
    await expect.poll(() => result.balance.value.total).toBe(890n)
    account.value = { addresses$: scanned$ }
    await expect.poll(() => result.byAddress.value).toEqual({})
    scanned$.next([BOB])
    await expect.poll(() => Object.keys(result.byAddress.value)).toEqual([BOB])
    expect(result.balance.value.total).toBe(1_100n)
  })

  it('has the error of an address of another network', async () => {
    const foreign = 'kaspa:qqqszqgpqyqszqgpqyqszqgpqyqszqgpqyqszqgpqyqszqgpqyqszu8g5qjdh'
    const { result } = withApp(createNode(), () => ({ rpc: useRpc(), ...useBalance(foreign) }))
    await result.rpc.connect()
    await expect.poll(() => result.error.value?.argument).toBe('addresses')
    expect(result.freshness.value).toBe('unknown')
  })
})
