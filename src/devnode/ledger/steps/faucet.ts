import { schnorr } from '@noble/curves/secp256k1.js'
import { addressOfPublicKey, toScriptPublicKey } from '../../../model/address.js'
import { ChainError } from '../../../errors/chain-error.js'
import { fromHex, toHex } from '../../../model/hex.js'
import { storageMass } from '../../../model/mass.js'
import type { AddressPrefix } from '../../../model/network.js'
import { SIGHASH_TYPES, sighash } from '../../../model/sighash.js'
import { NATIVE_SUBNETWORK, type Transaction, type TransactionOutput } from '../../../model/transaction.js'
import type { UtxoEntry } from '../../../model/utxo.js'
import { objectToStorageMass } from '../rules/standard.js'
import type { UtxoSet } from '../utxo/utxo-set.js'
import { know, type KnownTransaction } from '../transaction.js'

/** The key of the coins that `fund` pays from: no secret, and worth nothing. */
const FAUCET_KEY = 'fa'.repeat(32)

export const faucetAddress = (prefix: AddressPrefix): string =>
  addressOfPublicKey(toHex(schnorr.getPublicKey(fromHex(FAUCET_KEY))), prefix)

/**
 * A payment from the faucet, signed, without a fee: blocks may hold such, although the mempool takes none.
 * Throws `ChainError`: `insufficient-funds`, or `mass-exceeded` for amounts that are too small for any transaction.
 */
export function payFromFaucet(
  coins: UtxoSet,
  prefix: AddressPrefix,
  outputs: readonly TransactionOutput[],
): KnownTransaction {
  const lock = toScriptPublicKey(faucetAddress(prefix))
  const total = outputs.reduce((sum, { value }) => sum + value, 0n)
  const coin = largest(coins.heldBy(lock))
  if (coin === undefined || coin.amount <= total)
    throw new ChainError('The faucet has not enough coins', {
      code: 'insufficient-funds',
      argument: 'amount',
      hint: 'Start the network with a larger faucet, or fund by coinbase.',
    })
  const unsigned = spend(coin, [...outputs, { value: coin.amount - total, scriptPublicKey: lock }])
  const transaction = { ...unsigned, mass: storageMass(unsigned, [coin]) }
  const objection = objectToStorageMass(transaction.mass)
  if (objection !== undefined)
    throw new ChainError(`The amount is too small to be paid: ${objection}`, {
      code: 'mass-exceeded',
      argument: 'amount',
      hint: 'Pay 0.02 KAS or more, or fund by coinbase.',
    })
  return know(sign(transaction, coin))
}

/** Coinbase of the faucet's own mining may be immature: only what was there from the start, and change of it, is spent. */
function largest(entries: Iterable<UtxoEntry>): UtxoEntry | undefined {
  return [...entries]
    .filter(({ isCoinbase }) => !isCoinbase)
    .reduce<UtxoEntry | undefined>(
      (best, entry) => (best !== undefined && best.amount >= entry.amount ? best : entry),
      undefined,
    )
}

function spend({ outpoint }: UtxoEntry, outputs: readonly TransactionOutput[]): Transaction {
  const input = { previousOutpoint: outpoint, signatureScript: '', sequence: 0n, sigOpCount: 1 }
  return {
    version: 0,
    inputs: [input],
    outputs,
    lockTime: 0n,
    subnetworkId: NATIVE_SUBNETWORK,
    gas: 0n,
    payload: '',
    mass: 0n,
  }
}

/** Without auxiliary randomness, so that equal steps give equal ledgers. */
function sign(transaction: Transaction, coin: UtxoEntry): Transaction {
  const digest = sighash(transaction, 0, [coin])
  const signature = toHex(schnorr.sign(digest, fromHex(FAUCET_KEY), new Uint8Array(32)))
  const type = SIGHASH_TYPES.All.toString(16).padStart(2, '0')
  const inputs = transaction.inputs.map((input) => ({ ...input, signatureScript: `41${signature}${type}` }))
  return { ...transaction, inputs }
}
