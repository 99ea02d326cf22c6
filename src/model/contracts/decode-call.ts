import { fromHex, toHex } from '../hex.js'
import { encodeArguments, programOf } from './contract.js'
import { isEncoding, readPush } from './state-script.js'
import type { Entry } from './program.js'
import { decodeFields } from './value-codec.js'

/** What the signature script of an input shows of a call. */
export interface DecodedCall {
  /** Hex. */
  readonly redeemScript: string
  /** Null where no entry has its tag. */
  readonly entry: string | null
  /** The arguments as they were passed; null where they are not those of the entry, in the one encoding of each. */
  readonly args: Readonly<Record<string, unknown>> | null
}

const OP_1_NEGATE = 0x4f
const OP_1 = 0x51
const OP_16 = 0x60

/** The call of a contract in a signature script, hex: its pushes; undefined where it has others, or none. */
export function decodeCall(contract: object, signatureScript: string): DecodedCall | undefined {
  const script = fromHex(signatureScript)
  const pushes = readPushes(script)
  const redeem = pushes?.at(-1)
  if (pushes === undefined || redeem === undefined) return undefined
  const tag = toHex(pushes.at(-2)?.data ?? new Uint8Array(0))
  const redeemScript = toHex(redeem.data)
  const found = [...(programOf(contract)?.entries ?? [])].find(([, entry]) => entry.tag === tag)
  if (found === undefined) return { redeemScript, entry: null, args: null }
  const [name, entry] = found
  const args = decodeArguments(entry, pushes.slice(0, -2))
  const pushed = script.subarray(0, pushes.at(-2)?.end)
  const isCanonical = isEncoding(pushed, () => encodeArguments(entry, args, noSignature))
  return { redeemScript, entry: name, args: isCanonical ? args : null }
}

function decodeArguments({ params }: Entry, pushes: readonly Push[]): Readonly<Record<string, unknown>> {
  const parts = pushes.values()
  return decodeFields(params, () => parts.next().value?.data ?? new Uint8Array(0))
}

const noSignature = (): never => {
  throw new TypeError('A decoded argument has no signature that is still to be made')
}

type Push = NonNullable<ReturnType<typeof readPush>>

/** Each push with its data and its end; undefined where a script does something else. */
export function readPushes(script: Uint8Array): readonly Push[] | undefined {
  const pushes: Push[] = []
  for (let at = 0; at < script.length;) {
    const push = readPush(script, at) ?? readNumberPush(script, at)
    if (push === undefined) return undefined
    pushes.push(push)
    at = push.end
  }
  return pushes
}

/** The opcodes that push a number from -1 to 16. */
function readNumberPush(script: Uint8Array, at: number): ReturnType<typeof readPush> {
  const opcode = script[at] ?? 0
  if (opcode === OP_1_NEGATE) return { data: Uint8Array.of(0x81), end: at + 1 }
  return opcode >= OP_1 && opcode <= OP_16 ? { data: Uint8Array.of(opcode - OP_1 + 1), end: at + 1 } : undefined
}
