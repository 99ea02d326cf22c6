import { stateUnknown, insufficientTokens, unsupportedOwner } from '../../errors/contract-errors.js'
import { toAddress } from '../../model/address.js'
import type { KnownOutput } from '../../model/contracts/pending-call.js'
import { ZERO_HASH } from '../../model/hashing.js'
import { NETWORKS } from '../../model/network.js'
import {
  ownerIn,
  ownersByFields,
  type OwnedOutput,
  type OwnerFields,
  type OwnersByFields,
  type TokenOwner,
  witnessOf,
  type Witness,
  UNNAMED_SCHEMES,
} from '../../model/tokens/owner.js'
import { fungibleOutputs, outputsToMerge, selectOutputs } from '../../model/tokens/amounts.js'
import type { TokenProgram, TokenState } from '../../model/tokens/token-program.js'
import type { CallTarget, DescribedCall, ExpandContext } from '../contracts/contract-call.js'
import { CONTRACT_OUTPUT_AMOUNT } from '../contracts/place-calls.js'
import { createTransaction } from '../../model/transaction.js'
import { runInput } from '../../script/run-input.js'
import { MAX_UNITS } from '../../script/machine.js'
import { toSpendingContext } from '../../script/spending.js'

/** A token whose outputs are spent. */
export interface SpentToken {
  readonly program: TokenProgram
  readonly target: CallTarget
  /** Resolves once its outputs are those of the chain: whether all of them are known. Rejects with `ChainError`. */
  readonly ready: (signal: AbortSignal | undefined) => Promise<boolean>
}

interface TransferRequest {
  /** Undefined to merge all outputs into one. */
  readonly to: OwnerFields | undefined
  /** In units of the token; undefined for all. */
  readonly amount: bigint | undefined
  /** Whose tokens; undefined for those of the address that gets the change. */
  readonly from: readonly TokenOwner[] | undefined
  readonly extensionCommitment: string | undefined
  readonly maxMerges: number
  /** Sompi of the output that is received. */
  readonly value: bigint | undefined
}

/** Describes a transfer: its outputs are selected when it is planned, and merged before where they are too many. */
export const describeTransfer = (
  token: SpentToken,
  request: TransferRequest,
  shown: Readonly<Record<string, unknown>>,
): DescribedCall => ({
  covenantId: token.target.covenantId,
  entry: token.program.transfer.entry,
  args: shown,
  options: {},
  target: token.target,
  expand: (context) => expand(token, request, context),
})

async function expand(
  { program, target, ready }: SpentToken,
  { to, amount, from, extensionCommitment, maxMerges, value = CONTRACT_OUTPUT_AMOUNT }: TransferRequest,
  context: ExpandContext,
): Promise<readonly DescribedCall[]> {
  const isComplete = await ready(context.signal)
  const owners = ownersByFields(from ?? [changeOwner(context)], 'from')
  let unspent = target.unspent(context.replaces)
  const planned: CallTarget = { ...target, unspent: () => unspent }
  const owned = fungibleOutputs(toOwned(unspent, owners), extensionCommitment)
  if (!isComplete && sumOf(owned) < (amount ?? 1n)) throw incomplete(target.covenantId)
  let inputs = amount === undefined ? owned : selectOutputs(owned, amount)
  const [leader] = inputs
  if (leader === undefined) throw insufficientTokens({ available: 0n, required: 1n })
  if (to !== undefined) requireSupported(program, leader, to)
  for (;;) {
    const merged = outputsToMerge(inputs, program, maxMerges)
    if (merged.length === 0) break
    const created = await context.planBefore(transferCalls(program, planned, merge(merged)))
    unspent = [...unspent, ...created]
    inputs = [...inputs.slice(merged.length), ...toOwned(created, owners)]
  }
  return transferCalls(program, planned, to === undefined ? merge(inputs) : transfer(inputs, to, amount ?? 0n, value))
}

/** One output in place of several, of the same owner as the first one. */
const merge = (inputs: readonly OwnedOutput[]): TokenChange => ({ inputs, ...changeOf(inputs, sumOf(inputs)) })

/** An output for the receiver, and one for what remains. */
function transfer(inputs: readonly OwnedOutput[], to: OwnerFields, amount: bigint, value: bigint): TokenChange {
  const [leader] = inputs
  const received: TokenState = {
    ...to,
    amount,
    borrow_scheme: 0,
    borrow_guard: ZERO_HASH,
    extension_commitment: leader?.state.extension_commitment ?? '',
  }
  const change = changeOf(inputs, sumOf(inputs) - amount)
  return { inputs, next: [received, ...change.next], values: [value, ...change.values] }
}

/** What remains with the owner of the first input, in an output that holds the KAS of that one. */
function changeOf([leader]: readonly OwnedOutput[], amount: bigint): Pick<TokenChange, 'next' | 'values'> {
  if (leader === undefined || amount === 0n) return { next: [], values: [] }
  return { next: [{ ...leader.state, amount }], values: [leader.value] }
}

const sumOf = (outputs: readonly OwnedOutput[]): bigint => outputs.reduce((sum, { state }) => sum + state.amount, 0n)

/** Those of some owners. */
const toOwned = (outputs: readonly KnownOutput[], owners: OwnersByFields): readonly OwnedOutput[] =>
  outputs.flatMap((output) => {
    const state = output.state as TokenState | null // the program has these fields
    const by = state === null ? undefined : ownerIn(owners, state)
    return state === null || by === undefined ? [] : [{ ...output, state, by }]
  })

const incomplete = (covenantId: string): Error =>
  stateUnknown(
    `Not all outputs of the token ${covenantId} are known`,
    'This is no empty balance: add the token with a block before its genesis (from), or with a snapshot.',
  )

const changeOwner = ({ network, change }: ExpandContext): TokenOwner =>
  toAddress(change, NETWORKS[network].addressPrefix) ?? ''

/** A transfer by the owners themselves; the other value is the borrowed receive. */
const BY_OWNER = '00'

/** The arguments of the leading input. */
const transferArguments = (
  { transfer }: TokenProgram,
  next: readonly TokenState[],
  witness: Witness,
): Readonly<Record<string, unknown>> => ({
  [transfer.states]: next,
  [transfer.witness]: [BY_OWNER, ...witness],
})

/** What a transaction does to a token. */
interface TokenChange {
  readonly inputs: readonly OwnedOutput[]
  readonly next: readonly TokenState[]
  /** Sompi of the outputs. */
  readonly values: readonly bigint[]
}

/** The calls of the inputs of a token: the first one leads, and names what all together become. */
const transferCalls = (
  program: TokenProgram,
  target: CallTarget,
  { inputs, next, values }: TokenChange,
): readonly DescribedCall[] =>
  inputs.map(({ outpoint: from, by, state }, at) => {
    const { transfer, delegate } = program
    const witness = witnessOf(by, state)
    const { covenantId } = target
    return at === 0
      ? {
          covenantId,
          entry: transfer.entry,
          args: transferArguments(program, next, witness),
          options: { from, value: values },
          target,
        }
      : {
          covenantId,
          entry: delegate.entry,
          args: { [delegate.witness]: witness },
          options: { from, states: [] },
          target,
        }
  })

const COVENANT_ID = /*#__PURE__*/ '11'.repeat(32)
const RUN = { limit: MAX_UNITS, signatures: 'placeholders' } as const

/**
 * Throws `ChainError` (`unsupported-owner`) where the program refuses to give an output to an owner and gives it to
 * others: nothing else names the owners that it supports. A program that refuses all of them says so by the transfer.
 */
function requireSupported(program: TokenProgram, output: OwnedOutput, receiver: OwnerFields): void {
  const accepts = (scheme: number): boolean => execute(program, output, { ...output.state, owner_scheme: scheme })
  if (program.ownerSchemes !== undefined || typeof output.by !== 'string' || accepts(receiver.owner_scheme)) return
  const supported = UNNAMED_SCHEMES.filter(accepts)
  if (supported.length > 0) throw unsupportedOwner({ scheme: receiver.owner_scheme, supported })
}

/** Whether the program lets an owner replace an output by one other. */
function execute(program: TokenProgram, { by, outpoint, value, state }: OwnedOutput, next: TokenState): boolean {
  const { contract, transfer } = program
  const args = transferArguments(program, [next], witnessOf(by, state))
  const signatureScript = contract.signatureScript(state as never, transfer.entry, args as never)
  const covenant = { authorizingInput: 0, covenantId: COVENANT_ID }
  const transaction = createTransaction({
    version: 1,
    inputs: [{ previousOutpoint: outpoint, signatureScript, sequence: 0n, sigOpCount: 0, computeBudget: 0 }],
    outputs: [{ value, scriptPublicKey: contract.scriptPublicKey(next as never), covenant }],
  })
  const scriptPublicKey = contract.scriptPublicKey(state as never)
  const spent = { outpoint, amount: value, scriptPublicKey, blockDaaScore: 0n, isCoinbase: false }
  const context = toSpendingContext(transaction, [{ ...spent, covenantId: COVENANT_ID }])
  return runInput(context, 0, RUN).failure === undefined
}
