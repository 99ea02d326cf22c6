import { describe, expect, it } from 'vitest'
import { ChainRpcError } from '../../../src/errors/rpc-error.js'
import { addressOfPublicKey } from '../../../src/model/address.js'
import type { NotificationScope } from '../../../src/node/messages/records.js'
import { createRpcSubscriptions, type RpcSubscriptions } from '../../../src/operations/queries/subscriptions.js'

const [A, B] = ['11', '22'].map((byte) => addressOfPublicKey(byte.repeat(32), 'kaspasim')) as [string, string]

/** Subscriptions over a list of what is wanted. */
function subscriptionsOver(placed = () => Promise.resolve()): { rpc: RpcSubscriptions; wanted: NotificationScope[] } {
  const wanted: NotificationScope[] = []
  const want = (scope: NotificationScope) => {
    wanted.push(scope)
    return { unsubscribe: () => void wanted.splice(wanted.indexOf(scope), 1) }
  }
  return { rpc: createRpcSubscriptions({ want, placed, network: () => 'simnet' }), wanted }
}

describe('a subscription held by hand', () => {
  it('counts each call: what was subscribed twice is let go by the second unsubscription', async () => {
    const { rpc, wanted } = subscriptionsOver()
    await rpc.subscribeBlockAdded()
    await rpc.subscribeBlockAdded()
    await rpc.unsubscribeBlockAdded()
    expect(wanted).toEqual([{ type: 'block-added' }])
    await rpc.unsubscribeBlockAdded()
    await rpc.unsubscribeBlockAdded()
    expect(wanted).toEqual([])
  })

  it('counts each address on its own', async () => {
    const { rpc, wanted } = subscriptionsOver()
    await rpc.subscribeUtxosChanged([A, B])
    await rpc.unsubscribeUtxosChanged([B])
    expect(wanted).toEqual([{ type: 'utxos-changed', addresses: [A] }])
  })

  it('goes by two names for the DAA score', async () => {
    const { rpc, wanted } = subscriptionsOver()
    await rpc.subscribeDaaScore()
    await rpc.unsubscribeVirtualDaaScoreChanged()
    expect(wanted).toEqual([])
  })

  it('keeps apart who wants accepted ids and who does not', async () => {
    const { rpc, wanted } = subscriptionsOver()
    await rpc.subscribeVirtualChainChanged(true)
    await rpc.unsubscribeVirtualChainChanged(false)
    expect(wanted).toEqual([{ type: 'virtual-chain-changed', includeAcceptedTransactionIds: true }])
  })

  it('rejects where the node refuses', async () => {
    const refusal = new ChainRpcError('subscribe', new Error('no'), { code: 'remote' })
    const { rpc } = subscriptionsOver(() => Promise.reject(refusal))
    await expect(rpc.subscribeNewBlockTemplate()).rejects.toBe(refusal)
  })

  it('refuses an address of another network before anything is wanted', async () => {
    const { rpc, wanted } = subscriptionsOver()
    const foreign = addressOfPublicKey('11'.repeat(32), 'kaspa')
    await expect(rpc.subscribeUtxosChanged([A, foreign])).rejects.toMatchObject({
      code: 'invalid-argument',
      argument: 'addresses[1]',
      method: 'subscribeUtxosChanged',
    })
    expect(wanted).toEqual([])
  })
})
