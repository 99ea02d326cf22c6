import { ChainRpcError } from '../../../../src/errors/rpc-error.js'
import { toOutpointKey } from '../../../../src/model/utxo.js'
import type { Call } from '../../../../src/operations/queries/call.js'
import { createTransactions, type TransactionOperations } from '../../../../src/operations/transactions/transactions.js'
import type { SdkPort } from '../../../../src/sdk/port.js'
import { Refusal } from './client.js'
import type { NodeUnderTest } from './node-under-test.js'

/** The library's payments, over the test's own connection to a node. */
export function operationsOn({ client, network }: NodeUnderTest, sdk: SdkPort): TransactionOperations {
  const held = new Set<string>()
  const call: Call = async (method, request) => {
    try {
      return await client.call(method, request)
    } catch (error) {
      throw error instanceof Refusal ? new ChainRpcError(method, error, { code: 'remote' }) : error
    }
  }
  return createTransactions({
    network: () => network.id,
    call,
    sdk: () => sdk,
    reservations: {
      isReserved: (outpoint) => held.has(toOutpointKey(outpoint)),
      reserve: (outpoints) => {
        const keys = outpoints.map(toOutpointKey)
        for (const key of keys) held.add(key)
        return () => keys.forEach((key) => held.delete(key))
      },
    },
    rejected: () => undefined,
    replaced: () => undefined,
    whenConnected: () => Promise.resolve(),
    pause: (ms) => new Promise((resolve) => setTimeout(resolve, ms)),
  })
}
