import { explainInput } from '../../../script/run-input.js'
import { toSpendingContext } from '../../../script/spending.js'
import type { AcceptedTransaction } from '../transaction.js'

/**
 * A submitted transaction whose script failed: where and on what. A node says less; never part of the wire protocol.
 */
export interface RefusedScript {
  readonly transactionId: string
  /** The index of the input whose script failed. */
  readonly input: number
  readonly script: 'signature' | 'locking' | 'redeem'
  /** Offset of the opcode in that script, in bytes; undefined after its end. */
  readonly position?: number
  readonly opcode?: number
  /** The node's text, without the words that it puts in front. */
  readonly reason: string
  /** Script units used, the refused charge included. */
  readonly units: number
  /** The elements before the failing instruction, lowest first, in hex. */
  readonly stack: readonly string[]
  readonly altStack: readonly string[]
}

const MAX_REFUSALS = 1_000

/** The last transactions that were refused for a script. */
export class Refusals {
  readonly #refused = new Map<string, AcceptedTransaction>()

  /** `onRefused` is called with the explanation of each refusal. */
  constructor(readonly onRefused: (refused: RefusedScript) => void = () => undefined) {}

  add(refused: AcceptedTransaction): void {
    const [oldest] = this.#refused.keys()
    if (oldest !== undefined && this.#refused.size >= MAX_REFUSALS) this.#refused.delete(oldest)
    this.#refused.set(refused.known.id, refused)
    const explained = explain(refused)
    if (explained !== undefined) this.onRefused(explained)
  }

  /** Undefined for a transaction that was not refused for a script. */
  explain(transactionId: string): RefusedScript | undefined {
    const refused = this.#refused.get(transactionId)
    return refused && explain(refused)
  }
}

function explain({ known: { id, transaction }, spent }: AcceptedTransaction): RefusedScript | undefined {
  const context = toSpendingContext(transaction, spent)
  for (const index of transaction.inputs.keys()) {
    const explanation = explainInput(context, index)
    if (explanation !== undefined) return { transactionId: id, ...explanation }
  }
  return undefined
}

const MAX_SHOWN = 80

/** A refused script in words, a line each: where it stopped and why, and the stack before it, the top last. */
export function formatRefusal({
  transactionId,
  input,
  script,
  position,
  opcode,
  reason,
  units,
  stack,
}: RefusedScript): string {
  const place =
    opcode === undefined ? 'at its end' : `at byte ${position ?? 0}, opcode 0x${opcode.toString(16).padStart(2, '0')}`
  return [
    `Script of input ${input} of ${transactionId} refused: ${reason}`,
    `  ${script} script, ${place}, after ${units} script units`,
    `  stack: ${stack.length === 0 ? 'empty' : stack.map(shown).join(' ')}`,
  ].join('\n')
}

function shown(item: string): string {
  if (item === '') return '(empty)'
  return item.length <= MAX_SHOWN ? item : `${item.slice(0, MAX_SHOWN)}… (${item.length / 2} bytes)`
}
