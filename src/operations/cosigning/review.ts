import { areAmountsCommitted } from '../../model/amount-commitment.js'
import { toAddress } from '../../model/address.js'
import { NETWORKS, type AddressPrefix } from '../../model/network.js'
import { toOutpointKey, toScriptKey, type ScriptPublicKey } from '../../model/utxo.js'
import type { AccountValue } from '../../model/cosigning/account-value.js'
import { chainedOutpoints, feeOf, massOf, spentOf, type BundleTransaction } from './bundle.js'
import type { CosignerState, ProposalReview, ReviewedOutput, TransactionReview } from './records.js'
import type { BundleSignatures } from './signatures.js'

/** What a review says beside the transactions. */
export interface ReviewFacts extends Pick<ProposalReview, 'areAmountsVerified' | 'isAmountMemoryDurable'> {
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
