// @vitest-environment happy-dom
import { describe, expect, it } from 'vitest'
import { BehaviorSubject } from 'rxjs'
import { effectScope, isReactive, ref, shallowRef } from 'vue'
import { useChainEngine } from '../../../src/adapters/vue/composables/useChainEngine.js'
import { useRpc } from '../../../src/adapters/vue/composables/useRpc.js'
import { useUtxo } from '../../../src/adapters/vue/composables/useUtxo.js'
import { ChainError } from '../../../src/errors/chain-error.js'
import { toScriptPublicKey } from '../../../src/model/address.js'
import type { UtxoEntry } from '../../../src/model/utxo.js'
import type { AddressSource } from '../../../src/streams/addresses.js'
import type { Account } from '../../../src/streams/accounts/accounts.js'
import { fixtures } from '../../../src/testing/fixtures/fixtures.js'
import vectors from '../../fixtures/accounts/extended-public-keys.json' with { type: 'json' }
import { ready } from '../../../src/testing/platform.js'
import { createScriptedNode, type ScriptedNode } from '../../../src/testing/scripted-node.js'
import type { Responders } from '../../../src/testing/scripted-socket.js'
import { createUnreachableNode, withApp } from './with-app.js'

const ALICE = 'kaspasim:qqd6e65yefepe9wk0m9vuxdufxd80sphy67gwwd0vdaumzdt4tc9s7skwr78y'
const BOB = 'kaspasim:qp6r0d88yj4fazlj057wc35245jfgs87n9jn6nahfg223996dfukv834pxlxj'

const entryOf = (address: string, amount: bigint, index = 0): UtxoEntry => {
  const transactionId = toScriptPublicKey(address).script.slice(2, 66) // of its own, as in the chain
  return fixtures.utxo({ address, amount, outpoint: { transactionId, index } })
}

/** A node where every address has 5 sompi. */
const everyoneHasFive = (responses: Responders = {}): ScriptedNode =>
  createScriptedNode({
    responses: {
      getUtxosByAddresses: ({ addresses }) =>
        Promise.resolve({ entries: addresses.map((address, index) => entryOf(address, 5n, index)) }),
      getMempoolEntriesByAddresses: () => ({ entries: [] }),
      ...responses,
    },
  })

const utxoRequests = (node: ScriptedNode): unknown[] =>
  node.calls.filter(({ method }) => method === 'getUtxosByAddresses').map(({ request }) => request)

describe('useUtxo', () => {
  it('fetches once it is read, then follows changes', async () => {
    await ready() // its code is loaded: the first state is there at once
    const node = everyoneHasFive()
    const { result } = withApp(node, () => ({ rpc: useRpc(), ...useUtxo(ALICE) }))
    await result.rpc.connect()
    expect(utxoRequests(node)).toEqual([])
    expect([result.freshness.value, result.balance.value.mature]).toEqual(['loading', 0n])
    await expect.poll(() => result.balance.value.mature).toBe(5n)
    expect([result.freshness.value, result.isTracking.value, result.isLoading.value]).toEqual(['fresh', true, false])

    node.notify({ type: 'utxos-changed', data: { added: [entryOf(ALICE, 7n, 9)], removed: [] } })
    await expect.poll(() => result.balance.value.mature).toBe(12n)
    expect(result.matureEntries.value).toHaveLength(2)
  })

  it('has plain entries', async () => {
    const { result } = withApp(everyoneHasFive(), () => ({ rpc: useRpc(), ...useUtxo(ALICE) }))
    await result.rpc.connect()
    await expect.poll(() => result.entries.value).toHaveLength(1)
    expect(isReactive(result.entries.value)).toBe(false)
    expect(structuredClone(result.entries.value)).toEqual([entryOf(ALICE, 5n)])
  })

  it('follows changed addresses also after the component that refreshed it first was unmounted', async () => {
    await ready() // its code is loaded: `refresh` subscribes at once
    const addresses = shallowRef(ALICE)
    const { result } = withApp(everyoneHasFive(), () => ({ rpc: useRpc(), ...useUtxo(addresses) }))
    await result.rpc.connect()
    const component = effectScope()
    const refreshed = component.run(() => result.refresh())
    expect(result.freshness.value).toBe('loading')
    await refreshed
    component.stop()
    addresses.value = BOB
    await expect.poll(() => result.entries.value.map(({ address }) => address)).toEqual([BOB])
  })

  it('follows changed addresses, and null', async () => {
    const addresses = shallowRef<string | readonly string[] | null>(null)
    const { result } = withApp(everyoneHasFive(), () => ({ rpc: useRpc(), ...useUtxo(addresses) }))
    await result.rpc.connect()
    expect([result.isTracking.value, result.trackedAddresses.value]).toEqual([false, []])
    addresses.value = [ALICE, BOB]
    await expect.poll(() => result.balance.value.mature).toBe(10n)
    addresses.value = BOB
    await expect.poll(() => result.balance.value.mature).toBe(5n)
    expect(result.trackedAddresses.value).toEqual([BOB])
  })

  it('follows the growth of a source of addresses, and subscribes to it once it is read', async () => {
    const addresses$ = new BehaviorSubject<readonly string[]>([ALICE])
    const account = shallowRef<AddressSource | string>({ addresses$ })
    const { result } = withApp(everyoneHasFive(), () => ({ rpc: useRpc(), ...useUtxo(account) }))
    await result.rpc.connect()
    expect(addresses$.observed).toBe(false)
    await expect.poll(() => result.balance.value.mature).toBe(5n)
    addresses$.next([ALICE, BOB])
    await expect.poll(() => result.balance.value.mature).toBe(10n)
    expect(result.trackedAddresses.value).toEqual([ALICE, BOB])
    account.value = BOB
    await expect.poll(() => result.balance.value.mature).toBe(5n)
    expect([result.trackedAddresses.value, addresses$.observed]).toEqual([[BOB], false])
  })

  it('follows an account of an extended public key, also one in a deep ref', async () => {
    const account = ref<Account | null>(null)
    const setup = () => ({ rpc: useRpc(), engine: useChainEngine(), ...useUtxo(account) })
    const { result } = withApp(everyoneHasFive(), setup)
    await result.rpc.connect()
    account.value = await result.engine.accounts.fromExtendedPublicKey(vectors[0]!.kpub, { startIndex: 7 })
    await expect.poll(() => result.trackedAddresses.value).toContain(account.value.address(7))
    expect(isReactive(account.value)).toBe(false)
  })

  it('tracks further addresses: present when `track` resolves, removed after `untrack` and `clear`', async () => {
    const { result } = withApp(everyoneHasFive(), () => ({ rpc: useRpc(), ...useUtxo() }))
    await result.rpc.connect()
    await result.track([ALICE, BOB])
    expect(result.balance.value.mature).toBe(10n)
    await result.untrack([ALICE])
    expect(result.trackedAddresses.value).toEqual([BOB])
    await result.clear()
    expect([result.isTracking.value, result.trackedAddresses.value]).toEqual([false, []])
  })

  it('rejects and shows the error when a fetch fails', async () => {
    const node = everyoneHasFive({ getUtxosByAddresses: () => new ChainError('The index is being built') })
    const { result } = withApp(node, () => ({ rpc: useRpc(), ...useUtxo() }))
    await result.rpc.connect()
    await expect(result.track([ALICE])).rejects.toMatchObject({ cause: { message: 'The index is being built' } })
    expect(result.error.value).toMatchObject({ cause: { message: 'The index is being built' } })
  })

  it('rejects an address of another network', async () => {
    const { result } = withApp(everyoneHasFive(), () => ({ rpc: useRpc(), ...useUtxo() }))
    await result.rpc.connect()
    await expect(result.track(['kaspa:qqd6e65yefepe9wk0m9vuxdufxd80sphy67gwwd0vdaumzdt4tc9s7skwr78y'])).rejects.toThrow(
      ChainError,
    )
  })

  it('tracks nothing of a rejected call, and keeps tracking the others', async () => {
    const { result } = withApp(everyoneHasFive(), () => ({ rpc: useRpc(), ...useUtxo(ALICE) }))
    await result.rpc.connect()
    await expect.poll(() => result.balance.value.mature).toBe(5n)
    const foreign = 'kaspa:qqd6e65yefepe9wk0m9vuxdufxd80sphy67gwwd0vdaumzdt4tc9s7skwr78y'
    await expect(result.track([BOB, foreign])).rejects.toMatchObject({ argument: 'addresses' })
    expect([result.freshness.value, result.trackedAddresses.value]).toEqual(['fresh', [ALICE]])
  })

  it('tracks an address once, even if added repeatedly', async () => {
    const node = everyoneHasFive()
    const { result } = withApp(node, () => ({ rpc: useRpc(), ...useUtxo(ALICE) }))
    await result.rpc.connect()
    await Promise.all([result.track([BOB]), result.track([BOB, ALICE])])
    expect([result.trackedAddresses.value, result.balance.value.mature]).toEqual([[ALICE, BOB], 10n])
    await result.untrack([BOB])
    expect(result.trackedAddresses.value).toEqual([ALICE])
  })

  it('backfills after the connection was lost', async () => {
    const node = everyoneHasFive()
    const { result } = withApp(node, () => ({ rpc: useRpc(), ...useUtxo(ALICE) }), {
      reconnect: { baseDelay: 0 },
    })
    await result.rpc.connect()
    await expect.poll(() => result.balance.value.mature).toBe(5n)
    node.respond('getUtxosByAddresses', () => ({ entries: [entryOf(ALICE, 6n, 3)] }))
    node.drop()
    await expect.poll(() => result.balance.value.mature).toBe(6n)
    expect(result.freshness.value).toBe('fresh')
  })

  it('rejects after requestTimeout without a node, and shows why', async () => {
    const { result } = withApp(createUnreachableNode(), () => useUtxo(), {
      autoConnect: true,
      requestTimeout: 50,
      reconnect: { maxRetries: Infinity, baseDelay: 10_000 },
    })
    const error: unknown = await result.track([ALICE]).catch((cause: unknown) => cause)
    expect(error).toMatchObject({ method: 'getUtxosByAddresses', code: 'timeout' })
    expect((error as ChainError).details).toContain('No node listens at ws://127.0.0.1:17510')
    expect(result.trackedAddresses.value).toEqual([ALICE])
    await expect.poll(() => result.error.value).toMatchObject({ code: 'connect-failed' })
    expect(result.freshness.value).toBe('unknown')
  })

  it.each(['track', 'refresh'] as const)('%s() ends with its signal', async (method) => {
    const { result } = withApp(createScriptedNode(), () => ({ rpc: useRpc(), ...useUtxo(BOB) }))
    await result.rpc.connect()
    const { signal, abort } = toController()
    const call = method === 'track' ? result.track([ALICE], { signal }) : result.refresh({ signal })
    abort()
    await expect(call).rejects.toMatchObject({ code: 'aborted', cause: 'enough' })
    expect(result.rpc.isConnected.value).toBe(true)
  })
})

function toController(): { readonly signal: AbortSignal; readonly abort: () => void } {
  const controller = new AbortController()
  return { signal: controller.signal, abort: () => controller.abort('enough') }
}
