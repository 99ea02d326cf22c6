import type { Steps } from '../../loading/steps.js'
import { spendingBytes } from '../../model/cosigning/redeem-script.js'
import { relayMass, storageMass } from '../../model/mass.js'
import { type Pskt, type PsktInput, psktTransaction } from '../../model/pskb/records.js'
import type { Transaction } from '../../model/transaction.js'
import { transactionId } from '../../model/transaction-id.js'
import { toOutpointKey, type ScriptPublicKey, type UtxoEntry } from '../../model/utxo.js'
import type { BundleAccount, OwnScript } from './bundle-account.js'

/** A transaction of a bundle, with what is derived from an account and not read. */
export interface BundleTransaction {
  readonly id: string
  /** Unsigned. */
  readonly transaction: Transaction
  /** As the text states them; undefined where it states none. */
  readonly spent: readonly (UtxoEntry | undefined)[]
  /** Undefined for an input of somebody else. */
  readonly inputs: readonly (OwnScript | undefined)[]
  /** The own addresses that outputs pay to. */
  readonly change: readonly (OwnScript | undefined)[]
  /** The positions of inputs that spend an earlier transaction of the bundle. */
  readonly chained: ReadonlySet<number>
  /** As it was read. */
  readonly pskt: Pskt
}

/**
 * Derives what relates the transactions of a text to an account, one address for each step: a text may state a path in
 * each of a thousand outputs, and fifteen keys take some ms.
 */
export function* findPaths(pskts: readonly Pick<Pskt, 'inputs' | 'outputs'>[], account: BundleAccount): Steps<void> {
  const unknown: ScriptPublicKey[] = []
  for (const { inputs, outputs } of pskts)
    for (const { scriptPublicKey, bip32Derivations } of [...inputs.flatMap(toScript), ...outputs]) {
      if (!isScriptHash(scriptPublicKey.script)) continue
      const path = account.findPath(scriptPublicKey, bip32Derivations)
      if (path === undefined) unknown.push(scriptPublicKey)
      else account.scriptAt(path)
      yield
    }
  yield* account.search(unknown)
}

const toScript = ({ utxoEntry, bip32Derivations }: PsktInput) =>
  utxoEntry === null ? [] : [{ scriptPublicKey: utxoEntry.scriptPublicKey, bip32Derivations }]

/** Relates the transactions of a text to an account, by the paths that `findPaths` has found. Verifies nothing. */
export function toBundle(pskts: readonly Pskt[], account: BundleAccount): readonly BundleTransaction[] {
  const ids = new Set<string>()
  return pskts.map((pskt) => {
    const transaction = unsigned(psktTransaction(pskt))
    const id = transactionId(transaction)
    const chained = new Set(
      pskt.inputs.flatMap(({ previousOutpoint }, at) => (ids.has(previousOutpoint.transactionId) ? [at] : [])),
    )
    ids.add(id)
    return {
      id,
      transaction,
      spent: pskt.inputs.map(toSpent),
      inputs: pskt.inputs.map(({ utxoEntry }) =>
        utxoEntry === null ? undefined : ownScript(utxoEntry.scriptPublicKey, account),
      ),
      change: pskt.outputs.map(({ scriptPublicKey }) => ownScript(scriptPublicKey, account)),
      chained,
      pskt,
    }
  })
}

const unsigned = (transaction: Transaction): Transaction => ({
  ...transaction,
  inputs: transaction.inputs.map((input) => ({ ...input, signatureScript: '' })),
})

function toSpent({ utxoEntry, previousOutpoint }: PsktInput): UtxoEntry | undefined {
  if (utxoEntry === null) return undefined
  const { amount, scriptPublicKey, blockDaaScore, isCoinbase, covenantId } = utxoEntry
  const outpoint = previousOutpoint
  return { outpoint, amount, scriptPublicKey, blockDaaScore, isCoinbase, covenantId: covenantId ?? undefined }
}

function ownScript(script: ScriptPublicKey, account: BundleAccount): OwnScript | undefined {
  const path = isScriptHash(script.script) ? account.pathOf(script) : undefined
  return path && account.scriptAt(path)
}

const isScriptHash = (script: string): boolean => script.length === 70 && script.startsWith('aa20')

/** The entries that a transaction spends, once the rules have shown that all are stated. */
export const spentOf = ({ spent }: BundleTransaction): readonly UtxoEntry[] =>
  spent.filter((entry) => entry !== undefined)

/** Sompi; below zero where the outputs exceed what is spent. */
export const feeOf = ({ transaction: { outputs }, spent }: BundleTransaction): bigint =>
  spent.reduce((sum, entry) => sum + (entry?.amount ?? 0n), 0n) - outputs.reduce((sum, { value }) => sum + value, 0n)

/** Grams, with the signatures that it will have; inputs of others as those of one key. */
export function massOf(each: BundleTransaction, threshold: number): bigint {
  const { transaction, inputs } = each
  const signed = transaction.inputs.map((input, at) => {
    const own = inputs[at]
    const bytes = own === undefined ? KEY_SIGNATURE : spendingBytes(threshold, own.redeemScript)
    return { ...input, signatureScript: '00'.repeat(bytes) }
  })
  const relay = relayMass({ ...transaction, inputs: signed })
  const storage = storageMass(transaction, spentOf(each))
  return relay > storage ? relay : storage
}

const KEY_SIGNATURE = 66

/** The outpoints that a bundle creates and spends itself. */
export const chainedOutpoints = (bundle: readonly BundleTransaction[]): ReadonlySet<string> =>
  new Set(
    bundle.flatMap(({ transaction: { inputs }, chained }) =>
      inputs.flatMap(({ previousOutpoint }, at) => (chained.has(at) ? [toOutpointKey(previousOutpoint)] : [])),
    ),
  )
