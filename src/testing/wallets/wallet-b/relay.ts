import type { FaultGate } from '../faults.js'
import type { PageWindow } from '../page.js'
import { pause, toJsonCopy } from '../pause.js'
import { connect, signAndBroadcastTx, signMessage, signTx, switchNetwork } from './asks.js'
import { readQuestion, toReply, type Question } from './envelope.js'
import type { Kastle } from './extension.js'
import { buildTransaction, sendSompi } from './payments.js'
import { READS } from './reads.js'

type Handle = (kastle: Kastle, args: unknown) => unknown

const HANDLERS: Readonly<Record<string, Handle>> = {
  ...READS,
  'kas:connect': connect,
  'kas:switch_network': switchNetwork,
  'kas:sign_message': signMessage,
  'kas:send_sompi': sendSompi,
  'kas:build_transaction': buildTransaction,
  'kas:sign_tx': signTx,
  'kas:sign_and_broadcast_tx': signAndBroadcastTx,
}

/** The names under which pages can ask for things. */
export const isKnownMethod = (name: string): boolean => name in HANDLERS

/** Kastle's other half begins to hear the page. What was asked before is lost. */
export function openRelay(page: PageWindow, kastle: Kastle, faults: FaultGate, latency: number): void {
  page.addEventListener('message', (event) => {
    const question = readQuestion(event)
    // A bigint gets as far as here and no further: the relay cannot hand it on, and nobody says so
    if (question === undefined || !isJson(question.args)) return
    void answer(question, kastle, faults, latency).then((reply) => page.postMessage(reply, '*'))
  })
}

async function answer({ id, method, args }: Question, kastle: Kastle, faults: FaultGate, latency: number) {
  await pause(latency)
  try {
    await faults.pass(method)
    return toReply({ id, response: toJsonCopy(await HANDLERS[method]?.(kastle, args)) })
  } catch (error) {
    return toReply({ id, response: null, error: toWireError(error) })
  }
}

function toWireError(error: unknown): string | { code: number; message: string } {
  if (error instanceof Error) return error.message
  return typeof error === 'object' && error !== null && 'code' in error
    ? (error as { code: number; message: string })
    : String(error)
}

function isJson(value: unknown): boolean {
  try {
    JSON.stringify(value)
    return true
  } catch (error) {
    if (error instanceof TypeError) return false
    throw error
  }
}
