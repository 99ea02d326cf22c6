import { transactionId } from '../../../src/model/transaction-id.js'
import type { Transaction } from '../../../src/model/transaction.js'
import type { RpcResponse } from '../../../src/node/messages/records.js'
import type { SdkPort } from '../../../src/sdk/port.js'
import { KAS, alice, bob, utxos } from './accounts.js'
import {
  createScriptedDependencies,
  remoteRejection,
  type Script,
  type ScriptedDependencies,
} from './scripted-dependencies.js'

/** A payment of one transaction. */
export const small = {
  entries: utxos([30n * KAS]),
  outputs: [{ address: bob.address, amount: 10n * KAS }],
  changeAddress: alice.address,
  privateKeys: [alice.privateKey],
}

/** 100 UTXOs, and a payment of two transactions from them. */
export const hundred = utxos(Array.from({ length: 100 }, () => KAS))
export const large = { ...small, entries: hundred, outputs: [{ address: bob.address, amount: 95n * KAS }] }

/** A node whose chain has nothing: a look-up finds a transaction in the mempool only. */
export const UNACCEPTED: Script = {
  getVirtualChainFromBlock: () => ({
    removedChainBlockHashes: [],
    addedChainBlockHashes: [],
    acceptedTransactionIds: [],
  }),
  getBlocks: () => ({ blockHashes: [], blocks: [] }),
  getUtxosByAddresses: () => ({ entries: [] }),
}

/** A node that has nothing: a look-up does not find a transaction. */
export const ABSENT: Script = {
  ...UNACCEPTED,
  getMempoolEntry: remoteRejection('getMempoolEntry', 'Transaction not found'),
}

/** A node that accepts transactions into its mempool; `rejections` throw for the n-th submission, counted from 0. */
export function acceptingNode(
  sdk: SdkPort,
  rejections: Record<number, () => never> = {},
  script: Script = {},
): { deps: ScriptedDependencies; accepted: Transaction[] } {
  const accepted: Transaction[] = []
  let count = 0
  const deps = createScriptedDependencies(sdk, {
    submitTransaction: ({ transaction }) => {
      rejections[count++]?.()
      accepted.push(transaction)
      return { transactionId: transactionId(transaction) }
    },
    getMempoolEntry: (request) =>
      accepted.some((transaction) => transactionId(transaction) === request.transactionId)
        ? ({} as RpcResponse<'getMempoolEntry'>)
        : remoteRejection('getMempoolEntry', 'Transaction not found')(),
    ...script,
  })
  return { deps, accepted }
}
