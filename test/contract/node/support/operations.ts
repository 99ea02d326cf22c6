import { ChainRpcError } from '../../../../src/errors/rpc-error.js'
import { createSentIds } from '../../../../src/model/bounded-collections.js'
import type { UnconfirmedInput } from '../../../../src/model/unconfirmed-transaction.js'
import { toOutpointKey, type OutpointKey } from '../../../../src/model/utxo.js'
import type { Call } from '../../../../src/operations/queries/call.js'
import { createTransactions } from '../../../../src/operations/transactions/transactions.js'
import type { TransactionOperations } from '../../../../src/operations/transactions/transaction-operations.js'
import type { SdkPort } from '../../../../src/sdk/port.js'
import { RpcRejection } from './client.js'
import type { NodeUnderTest } from './node-under-test.js'

/** The library's transaction operations over the connection of the test. */
export function operationsOn({ client, network }: NodeUnderTest, sdk: SdkPort): TransactionOperations {
  const reserved = new Map<OutpointKey, UnconfirmedInput>()
  const call: Call = async (method, request) => {
    try {
      return await client.call(method, request)
    } catch (error) {
      throw error instanceof RpcRejection ? new ChainRpcError(method, error, { code: 'remote' }) : error
    }
  }
  return createTransactions({
    network: () => network.id,
    call,
    sentIds: createSentIds(),
    sdk: () => sdk,
    reservations: {
      reserved: () => reserved.values(),
      reserve: ({ inputs }) => {
        for (const input of inputs) reserved.set(toOutpointKey(input.outpoint), input)
        return () => inputs.forEach(({ outpoint }) => reserved.delete(toOutpointKey(outpoint)))
      },
    },
    onRejected: () => undefined,
    onReplaced: () => undefined,
    rememberChange: () => undefined,
    keyPathOf: () => undefined,
    signedAmounts: undefined,
    whenConnected: () => Promise.resolve(),
    now: () => Date.now(),
    logger: { warn: () => undefined },
    pause: (ms) => new Promise((resolve) => setTimeout(resolve, ms)),
  })
}
