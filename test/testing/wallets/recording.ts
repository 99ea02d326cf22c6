import { readFileSync } from 'node:fs'
import { resolve } from 'node:path'

/** One recorded call of a real extension. */
export interface RecordedCall {
  readonly step: string
  /** The method's name without the object. */
  readonly method: string
  readonly args: readonly unknown[]
  readonly resolved?: { readonly type: string; readonly value?: unknown }
  readonly rejected?: {
    readonly type: string
    readonly value?: unknown
    readonly name?: string
    readonly message?: string
  }
}

/** The calls of a recording with one of `steps` and a recorded outcome. */
export function recordedCalls(wallet: 'walletA' | 'walletB', steps: readonly string[]): RecordedCall[] {
  const file = resolve(import.meta.dirname, `../../fixtures/wallets/${wallet}.json`)
  const { entries } = JSON.parse(readFileSync(file, 'utf8')) as { entries: Record<string, unknown>[] }
  return entries.filter(({ step }) => steps.includes(String(step))).flatMap(toCall)
}

function toCall(entry: Record<string, unknown>): RecordedCall[] {
  const { step, call, arguments: args, resolved, rejected } = entry
  if (typeof call !== 'string' || !Array.isArray(args) || (resolved === undefined && rejected === undefined)) return []
  return [{ step, method: call.split('.')[1], args, ...(resolved ? { resolved } : { rejected }) } as RecordedCall]
}

/** The outcome of a call in the format of a recording: a value, or the error. */
export async function outcomeOf(provider: object, { method, args }: Pick<RecordedCall, 'method' | 'args'>) {
  try {
    const call = Reflect.get(provider, method) as (...args: readonly unknown[]) => Promise<unknown>
    return { resolved: await Reflect.apply(call, provider, args) }
  } catch (error) {
    if (!(error instanceof Error)) return { rejected: error }
    return { rejected: { name: error.name, message: error.message } }
  }
}

/** The recorded outcome in the same format. */
export const expectedOf = ({ resolved, rejected }: RecordedCall) =>
  rejected === undefined
    ? { resolved: resolved?.type === 'null' ? null : resolved?.value }
    : { rejected: rejected.type === 'Error' ? { name: rejected.name, message: rejected.message } : rejected.value }
