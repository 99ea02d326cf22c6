import { transactionId } from '../../../src/model/transaction-id.js'
import type { Transaction } from '../../../src/model/transaction.js'
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

/** A node that has nothing: a look-up does not find a transaction. */
export const ABSENT: Script = {
  getMempoolEntry: remoteRejection('getMempoolEntry', 'Transaction not found'),
  getVirtualChainFromBlock: () => ({
    removedChainBlockHashes: [],
    addedChainBlockHashes: [],
    acceptedTransactionIds: [],
  }),
  getBlocks: () => ({ blockHashes: [], blocks: [] }),
  getUtxosByAddresses: () => ({ entries: [] }),
}

/** A node that accepts transactions; `rejections` throw for the n-th submission, counted from 0. */
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
    ...script,
  })
  return { deps, accepted }
}
