import { ChainWalletError, type ChainWalletErrorCode, type ChainWalletErrorOptions } from '../errors/wallet-error.js'
import type { RejectReason } from '../errors/rpc-error.js'
import { parseReply } from '../model/submission-reply.js'
import { fieldOf, messagesOf } from './reading/rejection.js'

/** Maps a wallet's rejection by code or message to an error code. The first match applies. */
interface Rule {
  readonly code: ChainWalletErrorCode
  readonly codes?: readonly number[]
  readonly pattern?: RegExp
  readonly hint: string
}

const CREATE_ACCOUNT = 'Create an account in the wallet first.'
const RECONNECT = 'Call connect() again: the wallet has not permitted this site or the selected account.'
const VERIFY = 'Check whether the transaction was sent before paying again.'

/** EIP-1193 codes: disconnected from all nodes, or from those of the network. */
const NODE_UNREACHABLE = [4900, 4901]

/** Messages are those of KasWare and Kastle, codes those of KasWare and of the EIP-1193 drafts. */
const RULES: readonly Rule[] = [
  { code: 'not-connected', pattern: /at least one account|not initialized|no account found/i, hint: CREATE_ACCOUNT },
  {
    code: 'rejected',
    codes: [4001],
    pattern: /\buser (denied|rejected|cancel)/i,
    hint: 'The user rejected the request.',
  },
  { code: 'not-connected', codes: [4100], pattern: /^host not connected/i, hint: RECONNECT },
  {
    code: 'not-connected',
    codes: NODE_UNREACHABLE,
    hint: 'The wallet is disconnected from its node. Retry after it has reconnected.',
  },
  { code: 'busy', codes: [-32002], hint: "Approve or reject the request in the wallet's window first." },
  { code: 'unsupported', codes: [4200, -32601], hint: 'Update the wallet.' },
  { code: 'wrong-network', codes: [4902], hint: 'Select the network in the wallet.' },
  { code: 'invalid-argument', codes: [-32602], hint: 'The wallet rejected the arguments; see `cause`.' },
  { code: 'failed', pattern: /insufficient funds|no utxos/i, hint: "The account's balance is insufficient." },
  { code: 'failed', codes: [4300], hint: "Compound the wallet's UTXOs first: the amount requires too many inputs." },
  {
    code: 'not-sent',
    pattern: /extension context invalidated/i,
    hint: 'Reload the page: the wallet was updated or removed. Nothing was sent.',
  },
  { code: 'timeout', pattern: /^timeout$/i, hint: 'Reload the page: the wallet does not respond.' },
]

/**
 * Failures after the transaction may have been submitted: a dropped node connection, an unreadable response, or a
 * duplicate of the wallet's own earlier attempt.
 */
const UNKNOWN_OUTCOME =
  /time(d )?[ -]?out|disconnected|connection (was )?(lost|closed|reset)|channel receive|no data in|deserializ(ing|ation)|already (in the|accepted)/i

/** A node's rejection of a transaction, as wallets pass it on: with its introduction, or the rule's text only. */
const NODE_REJECTION = /\brejected transaction [0-9a-f]{16}|under the required amount of|false stack entry/i

/** The error for a wallet's rejection. A payment without a definite response has an unknown outcome. */
export function toWalletError(operation: string, cause: unknown): ChainWalletError {
  if (cause instanceof ChainWalletError) return cause
  const details = operation === 'sendKaspa' ? (toNodeRejection(cause) ?? classify(cause)) : classify(cause)
  const isUncertain = !isDefinite(details) && messagesOf(cause).some((message) => UNKNOWN_OUTCOME.test(message))
  const isUnknown = operation === 'sendKaspa' && isUncertain
  return new ChainWalletError(operation, cause, isUnknown ? { code: 'unknown-outcome', hint: VERIFY } : details)
}

/** Nothing was sent: refused by the user, by the node, or before it reached the wallet. */
const isDefinite = ({ code, reason }: ChainWalletErrorOptions): boolean =>
  code === 'rejected' || code === 'not-sent' || (code === 'rejected-by-node' && reason !== 'duplicate')

function toNodeRejection(cause: unknown): ChainWalletErrorOptions | undefined {
  const message = messagesOf(cause).find((text) => NODE_REJECTION.test(text))
  if (message === undefined) return undefined
  const { reason } = parseReply(message)
  const hint = `Nothing was sent: the wallet's node rejected the transaction. ${REMEDIES[reason] ?? 'Its words are in `details`.'}`
  return { code: 'rejected-by-node', reason, hint }
}

/** What a payer can do about a rejection. */
const REMEDIES: Readonly<Partial<Record<RejectReason, string>>> = {
  'fee-too-low': 'Pay more: give a higher `priorityFee`.',
  'double-spend': 'Wait for the pending payment that spends the same UTXO.',
  'immature-coinbase': 'Wait until the mining rewards are mature.',
  'mass-exceeded': "Compound the wallet's UTXOs first, or pay larger amounts.",
  orphan: 'Retry once the wallet has updated its UTXOs.',
}

/** Whether a wallet failed because its node is unreachable. That does not affect its accounts. */
export const isNodeUnreachable = (error: unknown): boolean =>
  error instanceof ChainWalletError && NODE_UNREACHABLE.some((code) => code === fieldOf(error.cause, 'code'))

function classify(cause: unknown): ChainWalletErrorOptions {
  const [message = ''] = messagesOf(cause)
  const number = fieldOf(cause, 'code')
  if (fieldOf(cause, 'name') === 'ZodError') return { code: 'invalid-argument' }
  const rule = RULES.find(
    ({ codes = [], pattern }) => codes.some((code) => code === number) || pattern?.test(message) === true,
  )
  return rule ?? { code: 'failed' }
}

/** A result that cannot be parsed; it is the `cause`. For a payment the outcome is unknown. */
export function unreadableResult(operation: string, result: unknown): ChainWalletError {
  return operation === 'sendKaspa'
    ? new ChainWalletError(operation, result, { code: 'unknown-outcome', hint: VERIFY })
    : new ChainWalletError(operation, result, {
        code: 'failed',
        hint: 'The wallet returned an invalid result; see `cause`.',
      })
}
