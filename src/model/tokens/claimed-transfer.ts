import { readPushes } from '../contracts/decode-call.js'
import type { ResolvedField } from '../contracts/resolved-type.js'
import { decodeFields } from '../contracts/value-codec.js'
import { fromHex, toHex } from '../hex.js'
import { TRANSFER_TAG } from './token-program.js'
import { TOKEN_FIELDS, type TokenState } from './token-state.js'

const PARAMS: readonly ResolvedField[] = [
  {
    name: 'states',
    type: {
      kind: 'array',
      item: { kind: 'struct', name: 'KCC20State', fields: TOKEN_FIELDS },
      length: undefined,
    },
  },
  { name: 'witness', type: { kind: 'bytes' } },
]

/**
 * The states that a transfer of any token of KCC-20 claims to create, by the signature script of the input that leads;
 * none for other scripts. Nothing proves them.
 */
export function claimedStates(signatureScript: string): readonly TokenState[] {
  const pushes = readPushes(fromHex(signatureScript)) ?? []
  const tag = pushes.at(-2)
  if (tag === undefined || toHex(tag.data) !== TRANSFER_TAG) return []
  const parts = pushes.slice(0, -2).values()
  const { states } = decodeFields(PARAMS, () => parts.next().value?.data ?? new Uint8Array(0))
  return states as readonly TokenState[] // of these fields
}
