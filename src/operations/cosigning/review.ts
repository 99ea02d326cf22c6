import { areAmountsCommitted } from '../../model/amount-commitment.js'
import { toAddress } from '../../model/address.js'
import { NETWORKS, type AddressPrefix } from '../../model/network.js'
import { toOutpointKey, toScriptKey, type ScriptPublicKey, type UtxoEntry } from '../../model/utxo.js'
import type { AccountValue } from '../../model/cosigning/account-value.js'
import { chainedOutpoints, feeOf, massOf, spentOf, type BundleTransaction } from './bundle.js'
import type { CosignerState, ProposalReview, ReviewedOutput, TransactionReview } from './records.js'
import type { BundleSignatures } from './signatures.js'
import { untrustedPskb } from '../../errors/cosigning-errors.js'
import type { AbortOptions } from '../../errors/abort-options.js'
import type { Call } from '../queries/call.js'
import { findInMempool } from '../transactions/replaced.js'
import { isSameOutput } from './rules.js'
import { isHex } from '../../model/hex.js'
import type { Pskt } from '../../model/pskb/records.js'

/** What a review says beside the transactions. */
interface ReviewFacts extends Pick<ProposalReview, 'areAmountsVerified' | 'isAmountMemoryDurable'> {
  readonly signers: readonly CosignerState[]
}

/** What a bundle does, without counting twice what its transactions pass on to each other. */
export function toReview(
  bundle: readonly BundleTransaction[],
  { network, threshold }: AccountValue,
  facts: ReviewFacts,
): ProposalReview {
  const addressOf = createAddresses(NETWORKS[network].addressPrefix)
  const spentInside = chainedOutpoints(bundle)
  const transactions = bundle.map((each) => reviewTransaction(each, threshold, addressOf, spentInside))
  return {
    transactions,
    recipients: transactions.flatMap(({ recipients }) => recipients),
    fee: sum(transactions.map(({ fee }) => fee)),
    change: sum(transactions.map(({ change }) => change)),
    spendsFromAccount: lossOf(bundle.map(spendsOf)),
    areAmountsCommitted: bundle.every(isCommitted),
    ...facts,
  }
}

/** What a transaction takes from the account: below zero where others pay into it. */
const spendsOf = (each: BundleTransaction): bigint => {
  const { transaction, inputs, change } = each
  const taken = spentOf(each).filter((_, at) => inputs[at] !== undefined)
  const returned = transaction.outputs.filter((_, at) => change[at] !== undefined)
  return sum(taken.map(({ amount }) => amount)) - sum(returned.map(({ value }) => value))
}

/** Of all transactions. One that pays into the account offsets no other: it may never be submitted. */
function lossOf(amounts: readonly bigint[]): bigint {
  const losses = amounts.filter((amount) => amount > 0n)
  return sum(losses.length > 0 ? losses : amounts)
}

type AddressOf = (script: ScriptPublicKey) => string | undefined

/** The addresses of scripts, each computed once: a bundle has few of them, in many inputs. */
function createAddresses(prefix: AddressPrefix): AddressOf {
  const known = new Map<string, string | undefined>()
  return (script) => {
    const key = toScriptKey(script)
    if (!known.has(key)) known.set(key, toAddress(script, prefix))
    return known.get(key)
  }
}

function reviewTransaction(
  each: BundleTransaction,
  threshold: number,
  addressOf: AddressOf,
  spentInside: ReadonlySet<string>,
): TransactionReview {
  const { id, transaction, inputs, change } = each
  const outputs = transaction.outputs.map(({ value, scriptPublicKey }, index) => ({
    amount: value,
    address: addressOf(scriptPublicKey),
    script: scriptPublicKey.script,
    isOwn: change[index] !== undefined,
    isSpent: spentInside.has(toOutpointKey({ transactionId: id, index })),
  }))
  const fee = feeOf(each)
  return {
    id,
    inputs: spentOf(each).map(({ outpoint, amount, scriptPublicKey }, at) => ({
      outpoint: { ...outpoint }, // that of the transaction to be signed is not given away
      amount,
      address: addressOf(scriptPublicKey),
      isOwn: inputs[at] !== undefined,
    })),
    recipients: outputs.filter(({ isOwn }) => !isOwn).map(toReviewed),
    change: sum(outputs.filter(({ isOwn, isSpent }) => isOwn && !isSpent).map(({ amount }) => amount)),
    fee,
    feeRate: Number(fee) / Number(massOf(each, threshold)),
    payload: transaction.payload,
    isFinal: !outputs.some(({ isSpent }) => isSpent),
  }
}

const toReviewed = ({ amount, address, script }: ReviewedOutput): ReviewedOutput => ({ amount, address, script })

const isCommitted = (each: BundleTransaction): boolean =>
  areAmountsCommitted(
    each.transaction.inputs.map(({ sequence }) => sequence),
    spentOf(each),
  )

/** The cosigners and how many of the own inputs they have signed. */
export function signersOf(
  bundle: readonly BundleTransaction[],
  signatures: BundleSignatures,
  { cosigners, ownCosigner }: AccountValue,
): readonly CosignerState[] {
  const own = bundle.flatMap(({ inputs }, at) =>
    inputs.flatMap((input, index) => (input === undefined ? [] : [signatures[at]?.[index]])),
  )
  return cosigners.map(({ key }, cosigner) => {
    const signed = own.filter((each) => each?.has(cosigner)).length
    const hasSigned = signed === 0 ? 'none' : signed === own.length ? 'all' : 'some'
    return { key, cosigner, isOwn: cosigner === ownCosigner, hasSigned }
  })
}

const sum = (amounts: readonly bigint[]): bigint => amounts.reduce((total, amount) => total + amount, 0n)

/**
 * Compares what a text states of the outputs that it spends with the node's UTXO set and mempool. Rejects with
 * `UntrustedPskbError`: `spent`, `amounts`; and with `ChainRpcError`.
 */
export async function requireEntries(
  bundle: readonly BundleTransaction[],
  prefix: AddressPrefix,
  call: Call,
  options: AbortOptions,
): Promise<void> {
  const known = await fetchEntries(bundle, prefix, call, options)
  for (const [transaction, each] of bundle.entries())
    for (const [input, stated] of spentOf(each).entries()) {
      if (each.chained.has(input)) continue
      const entry = known.get(toOutpointKey(stated.outpoint)) ?? (await unconfirmed(stated, call))
      if (entry === undefined) throw untrustedPskb('spent', transaction, input)
      if (!isSame(stated, entry)) throw untrustedPskb('amounts', transaction, input)
    }
}

async function fetchEntries(
  bundle: readonly BundleTransaction[],
  prefix: AddressPrefix,
  call: Call,
  options: AbortOptions,
): Promise<ReadonlyMap<string, UtxoEntry>> {
  const scripts = bundle.flatMap((each) => spentOf(each).filter((_, at) => !each.chained.has(at)))
  const addresses = new Set(scripts.map(({ scriptPublicKey }) => toAddress(scriptPublicKey, prefix)))
  const known = [...addresses].filter((address) => address !== undefined)
  if (known.length === 0) return new Map()
  const { entries } = await call('getUtxosByAddresses', { addresses: known }, options)
  return new Map(entries.map((entry) => [toOutpointKey(entry.outpoint), entry]))
}

/** An output of a transaction in the mempool; its id covers amount and script. */
async function unconfirmed({ outpoint }: UtxoEntry, call: Call): Promise<UtxoEntry | undefined> {
  const output = (await findInMempool(outpoint.transactionId, call))?.outputs[outpoint.index]
  if (output === undefined) return undefined
  const { value: amount, scriptPublicKey, covenant } = output
  return { outpoint, amount, scriptPublicKey, blockDaaScore: 0n, isCoinbase: false, covenantId: covenant?.covenantId }
}

const isSame = (stated: UtxoEntry, { amount, scriptPublicKey, isCoinbase, covenantId }: UtxoEntry): boolean =>
  isSameOutput(stated, amount, scriptPublicKey) && stated.isCoinbase === isCoinbase && covenantId === undefined

/** The member of `proprietaries` that names the payment which a bundle replaces; other software keeps it. */
const REPLACES = 'vue-chain/replaces'

/** Names the payment that a transaction replaces. */
export const withReplaced = (pskt: Pskt, replaces: string | undefined): Pskt =>
  replaces === undefined
    ? pskt
    : { ...pskt, global: { ...pskt.global, proprietaries: new Map([[REPLACES, replaces]]) } }

/**
 * The payment in the mempool that a bundle names and whose outputs it spends; undefined where there is none, whatever
 * the text states.
 */
export async function findReplaced(bundle: readonly BundleTransaction[], call: Call): Promise<string | undefined> {
  const named = bundle.map(({ pskt }) => pskt.global.proprietaries.get(REPLACES))
  const id = named.find((each): each is string => isHex(each, 32))
  const replaced = id === undefined ? undefined : await findInMempool(id, call)
  if (replaced === undefined) return undefined
  const spent = new Set(replaced.inputs.map(({ previousOutpoint }) => toOutpointKey(previousOutpoint)))
  const isShared = bundle.some(({ transaction: { inputs } }) =>
    inputs.some(({ previousOutpoint }) => spent.has(toOutpointKey(previousOutpoint))),
  )
  return isShared ? id : undefined
}
