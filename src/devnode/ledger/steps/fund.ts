import { toScriptPublicKey, addressOfPublicKey } from '../../../model/address.js'
import type { AddressPrefix } from '../../../model/network.js'
import type { NodeNotification } from '../../../node/messages/records.js'
import type { Miner } from '../block.js'
import type { Network } from '../network.js'
import { mineOne, toMiner } from './mine.js'
import type { Outpoint, UtxoEntry } from '../../../model/utxo.js'
import { type TransactionOutput, createTransaction, type Transaction } from '../../../model/transaction.js'
import { schnorr } from '@noble/curves/secp256k1.js'
import { covenantIdOf } from '../../../model/covenant-id.js'
import { ChainError } from '../../../errors/chain-error.js'
import { fromHex, toHex } from '../../../model/hex.js'
import { storageMass } from '../../../model/mass.js'
import { SIGHASH_TYPES, sighash } from '../../../model/sighash.js'
import { validateStorageMass } from '../../../model/transaction-rules/relay.js'
import type { ChainState } from '../chain/chain-state.js'
import { toKnownTransaction, type KnownTransaction } from '../transaction.js'

/** An amount for an address. */
export interface Utxo {
  readonly address: string
  /** Sompi. */
  readonly amount: bigint
}

export interface FundPlan {
  /** Unix milliseconds. */
  readonly now: number
  /** Miner of the blocks. */
  readonly miner: Miner
  readonly nodeVersion: string
  readonly prefix: AddressPrefix
}

interface Funded {
  /** The transaction that creates the last UTXO. */
  readonly transactionId: string
  readonly events: readonly NodeNotification[]
}

/** Mines one block with one payment from the faucet. The UTXOs are mature at once. */
export function fundByTransfer(network: Network, utxos: readonly Utxo[], { now, miner, prefix }: FundPlan): Funded {
  const outputs = utxos.map(({ address, amount }) => ({
    value: amount,
    scriptPublicKey: toScriptPublicKey(address, 'address'),
  }))
  const payment = payFromFaucet(network.state, prefix, outputs)
  const { events } = mineOne(network, { transactions: [payment], miner, timestamp: now })
  return { transactionId: payment.id, events }
}

/** Mines a block with that subsidy for each UTXO, and one more that pays out the last. The UTXOs are immature. */
export function fundByCoinbase(
  network: Network,
  utxos: readonly Utxo[],
  { now, miner, nodeVersion }: FundPlan,
): Funded {
  const subsidised = utxos.map(({ address, amount }) =>
    mineOne(network, { transactions: [], miner: toMiner(address, nodeVersion), timestamp: now, subsidy: amount }),
  )
  const last = mineOne(network, { transactions: [], miner, timestamp: now })
  return {
    transactionId: last.block.transactions[0]?.id ?? '',
    events: [...subsidised.flatMap(({ events }) => events), ...last.events],
  }
}

/** A covenant that a block has begun. */
export interface BegunCovenant {
  readonly covenantId: string
  readonly transactionId: string
  /** The outpoint that its id is made of. */
  readonly outpoint: Outpoint
}

/** Mines one block with a payment from the faucet whose outputs begin one covenant. */
export function beginCovenant(
  network: Network,
  outputs: readonly TransactionOutput[],
  { now, miner, prefix }: FundPlan,
): BegunCovenant & { readonly events: readonly NodeNotification[] } {
  const payment = payFromFaucet(network.state, prefix, outputs, 'covenant')
  const { events } = mineOne(network, { transactions: [payment], miner, timestamp: now })
  const [input] = payment.transaction.inputs
  const covenantId = payment.transaction.outputs[0]?.covenant?.covenantId
  if (input === undefined || covenantId === undefined) throw new TypeError('A genesis has an input and a bound output')
  return { covenantId, transactionId: payment.id, outpoint: input.previousOutpoint, events }
}

/** The private key of the faucet. Public, for simulated networks only. */
const FAUCET_KEY = /*#__PURE__*/ 'fa'.repeat(32)

/** Its x-only public key: to derive it takes an eighth of the time of a payment. */
const FAUCET_PUBLIC_KEY = 'c31e0591556173d65c0f4dd4305df445785f504a65fba8da7690e39b79938ed0'

/** The compute budget of one signature. */
const SIGNATURE_BUDGET = 10

export const faucetAddress = (prefix: AddressPrefix): string => addressOfPublicKey(FAUCET_PUBLIC_KEY, prefix)

/**
 * A signed payment from the faucet without a fee, which is valid in a block but rejected by the mempool. Signing
 * verifies the signature, so that blocks of this network do not verify it again: a fifth of the time of a payment.
 * Throws `ChainError`: `insufficient-funds`, or `mass-exceeded` for amounts whose storage mass is too high.
 */
export function payFromFaucet(
  { utxos, validation }: ChainState,
  prefix: AddressPrefix,
  outputs: readonly TransactionOutput[],
  begins: 'nothing' | 'covenant' = 'nothing',
): KnownTransaction {
  const faucetScript = toScriptPublicKey(faucetAddress(prefix))
  const total = outputs.reduce((sum, { value }) => sum + value, 0n)
  const utxo = largest(utxos.ofScript(faucetScript))
  if (utxo === undefined || utxo.amount <= total)
    throw new ChainError('The faucet has insufficient funds', {
      code: 'insufficient-funds',
      argument: 'amount',
      hint: 'Fund a smaller amount, or use the option `coinbase: true`.',
    })
  const paid = begins === 'covenant' ? bindTo(utxo, outputs) : outputs
  const unsigned = spend(utxo, [...paid, { value: utxo.amount - total, scriptPublicKey: faucetScript }], begins)
  const transaction = { ...unsigned, mass: storageMass(unsigned, [utxo]) }
  const violation = validateStorageMass(transaction.mass)
  if (violation !== undefined)
    throw new ChainError(`The amount is too small to be paid: ${violation}`, {
      code: 'mass-exceeded',
      argument: 'amount',
      hint: 'Fund 0.02 KAS or more, or use the option `coinbase: true`.',
    })
  const payment = toKnownTransaction(sign(transaction, utxo))
  validation.verificationCache.trust(payment)
  return payment
}

/** Excludes coinbase UTXOs, which may be immature: only the genesis UTXO and its change are spent. */
function largest(entries: Iterable<UtxoEntry>): UtxoEntry | undefined {
  return [...entries]
    .filter(({ isCoinbase }) => !isCoinbase)
    .reduce<UtxoEntry | undefined>(
      (best, entry) => (best !== undefined && best.amount >= entry.amount ? best : entry),
      undefined,
    )
}

/** Outputs that begin a covenant. They come first, so their places are their indices. */
function bindTo({ outpoint }: UtxoEntry, outputs: readonly TransactionOutput[]): readonly TransactionOutput[] {
  const covenantId = covenantIdOf(
    outpoint,
    outputs.map((output, index) => ({ ...output, index })),
  )
  return outputs.map((output) => ({ ...output, covenant: { authorizingInput: 0, covenantId } }))
}

/** Only version 1 binds outputs; it commits to a compute budget in place of signature operations. */
function spend(
  { outpoint }: UtxoEntry,
  outputs: readonly TransactionOutput[],
  begins: 'nothing' | 'covenant',
): Transaction {
  const input = { previousOutpoint: outpoint, signatureScript: '', sequence: 0n }
  const commitment = begins === 'covenant' ? { sigOpCount: 0, computeBudget: SIGNATURE_BUDGET } : { sigOpCount: 1 }
  const version = begins === 'covenant' ? 1 : 0
  return createTransaction({ version, inputs: [{ ...input, ...commitment }], outputs })
}

/** Signs without auxiliary randomness, so that equal calls give equal ledgers. */
function sign(transaction: Transaction, utxo: UtxoEntry): Transaction {
  const digest = sighash(transaction, 0, [utxo])
  const signature = toHex(schnorr.sign(digest, fromHex(FAUCET_KEY), new Uint8Array(32)))
  const type = SIGHASH_TYPES.All.toString(16).padStart(2, '0')
  const inputs = transaction.inputs.map((input) => ({ ...input, signatureScript: `41${signature}${type}` }))
  return { ...transaction, inputs }
}
