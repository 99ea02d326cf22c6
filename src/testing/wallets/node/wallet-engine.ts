import { firstValueFrom } from 'rxjs'
import { createParts } from '../../../engine/core.js'
import { type CoreParts, feature } from '../../../engine/core-parts.js'
import { rpc } from '../../../engine/features/node-calls.js'
import { transactions } from '../../../engine/features/transactions.js'
import type { ChainEngineOptions } from '../../../engine/options.js'
import { ChainError } from '../../../errors/chain-error.js'
import { isInsufficientFunds } from '../../../errors/payment-errors.js'
import { fromHex } from '../../../model/hex.js'
import { storageMass } from '../../../model/mass.js'
import type { SerializedTransaction } from '../../../model/serialized-transaction.js'
import type { PendingTx } from '../../../operations/transactions/records.js'
import { light } from '../../../sdk/light/light.js'
import type { FakeAccount } from '../account-state.js'
import {
  fromSafeTransaction,
  spentBy,
  toSafeScript,
  type SafeTransaction,
  ownInputs,
  signTransaction,
} from '../safe-transaction.js'
import { NodeFailure, type WalletNode } from './wallet-node.js'

/** The part of an engine that a wallet uses: it plans, signs and submits as apps with keys do. */
export function openWalletEngine(options: ChainEngineOptions): WalletNode {
  const core = createParts({ ...options, sdk: light, reconnect: false, recorder: false })
  /** Built and not sent. */
  const built = new Map<string, PendingTx>()

  const run = async <T>(work: () => Promise<T>): Promise<T> => {
    try {
      await connect(core)
      return await work()
    } catch (error) {
      throw toFailure(error)
    }
  }
  return {
    build: ({ from, outputs, fee, payload }) =>
      run(async () => {
        const entries = await feature(core, rpc).getUtxosByAddresses([from])
        const settings = { entries, outputs, changeAddress: from, priorityFee: fee, payload }
        const { transactions: pending } = await feature(core, transactions).create(settings)
        for (const one of pending) built.set(one.id, one)
        return pending.map((one) => toSafeTransaction(one.serialize()))
      }),
    send: (transaction, account) =>
      run(async () => {
        const pending = built.get(transaction.id)
        built.delete(transaction.id)
        if (pending === undefined) await submit(core, transaction, account)
        else await sendPending(pending, account)
      }),
    balance: (address) =>
      run(async () => {
        const { balance } = await feature(core, rpc).getBalanceByAddress(address)
        return { confirmed: balance, unconfirmed: 0n }
      }),
  }
}

async function connect({ connection }: CoreParts): Promise<void> {
  const { status } = await firstValueFrom(connection.state$)
  if (status !== 'connected') await connection.connect()
}

async function sendPending(pending: PendingTx, account: FakeAccount): Promise<void> {
  await pending.signAsync({
    sign: (requests) => Promise.resolve(requests.map(({ sighash }) => fromHex(account.signHash(sighash)))),
  })
  await pending.submit()
}

/** A transaction that the page has built. */
async function submit(core: CoreParts, safe: SafeTransaction, account: FakeAccount): Promise<void> {
  const unsigned = ownInputs(safe, account).filter(({ index }) => (safe.inputs[index]?.signatureScript ?? '') === '')
  const transaction = fromSafeTransaction(signTransaction(safe, account, unsigned))
  const mass = storageMass(transaction, spentBy(safe))
  await feature(core, rpc).submitTransaction({ ...transaction, mass })
}

const toSafeTransaction = ({ restore, ...transaction }: SerializedTransaction): SafeTransaction => ({
  ...transaction,
  inputs: transaction.inputs.map(({ previousOutpoint, ...input }, index) => {
    const spent = restore?.spent[index]
    if (spent === undefined) throw new TypeError('A built transaction names what it spends')
    const utxo = { amount: spent.amount, scriptPublicKey: toSafeScript(spent.scriptPublicKey) }
    return { ...previousOutpoint, ...input, utxo }
  }),
  outputs: transaction.outputs.map(({ value, scriptPublicKey }) => ({
    value,
    scriptPublicKey: toSafeScript(scriptPublicKey),
  })),
})

/** The node's words, without those of this library. */
function toFailure(error: unknown): NodeFailure {
  const words = error instanceof ChainError && error.details !== '' ? error.details : String(error)
  return new NodeFailure(words, isInsufficientFunds(error), error)
}
