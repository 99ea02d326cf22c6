import { blake3 } from '@noble/hashes/blake3.js'
import { encodeAddress, toAddress } from '../../../src/model/address.js'
import { decodeCall } from '../../../src/model/contracts/decode-call.js'
import { ZERO_HASH } from '../../../src/model/hashing.js'
import { fromHex, toHex } from '../../../src/model/hex.js'
import { placeholderSignature } from '../../../src/model/sighash.js'
import { fieldsOf, witnessOf, type TokenOwner } from '../../../src/model/tokens/owner.js'
import type { TokenProgram, TokenState } from '../../../src/model/tokens/token-program.js'
import { scriptOfHash } from '../../../src/streams/contracts/apply-transaction.js'
import { collect, type Compare, type Compared, type Json } from '../contracts/kcc-vectors.js'
import { isAccepted, tokenOf, type Family, type Spent } from './reference-program.js'

/** The official vectors of KCC-20 and KCC-2 that say what a transaction may do, run on the reference implementation. */

/** A signature of the vectors, which stands for a valid one of the key. */
const SIGNATURE = '44'.repeat(65)
/** Keys of the vectors are patterns of bytes, most of them not on the curve: this one takes their place. */
const KEY = '79be667ef9dcbbac55a06295ce870b07029bfcdb2dce28d959f2815b16f81798'

const placeholderOf = (key: string): string => toHex(placeholderSignature(fromHex(key)))

const byte = (hex: string): number => Number.parseInt(hex, 16)

const stateOf = ({ amount, ...hex }: Json): TokenState => ({
  amount: BigInt(amount),
  owner: hex.owner_hex,
  owner_scheme: byte(hex.owner_scheme_hex),
  borrow_scheme: byte(hex.borrow_scheme_hex ?? '00'),
  borrow_guard: hex.borrow_guard_hex ?? ZERO_HASH,
  extension_commitment: hex.extension_commitment_hex,
})

/** So many tokens of a key that is at hand, with its witness as a delegate. */
const delegateOf = (amount: bigint): Spent => ({
  state: {
    ...{ amount, owner: KEY, owner_scheme: 0, borrow_scheme: 0, borrow_guard: ZERO_HASH },
    extension_commitment: ZERO_HASH,
  },
  witness: placeholderOf(KEY),
})

export interface ReferenceVectors {
  /** The redeem script of the reference implementation, as a chain has shown it. */
  readonly script: Uint8Array
  readonly kcc2: Json
  readonly kcc20: Json
  /** Cases of the same form that the official file does not have. */
  readonly more: Json
}

export const compareReference = ({ script, kcc2, kcc20, more }: ReferenceVectors): readonly Compared[] => {
  const token = tokenOf(script)
  return [
    ...collect('KCC-20', (compare) => {
      compareTransfers(token, kcc20, [{ id: 'common', result: 'accept' }], compare)
      compareTransfers(token, kcc20, kcc20.standard_transfer.cases, compare)
      compareTransfers(token, kcc20, more.standard_transfer.cases, compare)
      compareBorrowing(token, kcc20, compare)
      compareWitnesses(kcc20, compare)
      compareCall(token, kcc20.transfer_arguments, compare)
    }),
    ...collect('KCC-2', (compare) => compareApprovals(token, kcc2, compare)),
  ]
}

function compareTransfers(token: TokenProgram, file: Json, cases: readonly Json[], compare: Compare): void {
  const { common } = file.standard_transfer
  for (const one of cases) {
    const given: Json = { ...common, ...one }
    const leader = { ...stateOf(common.leader_state), owner: KEY }
    const delegates = (given.delegate_amounts as readonly number[]).map((amount, at): Spent => {
      const commitment = given.delegate_extension_commitments_hex?.[at] ?? leader.extension_commitment
      return {
        state: { ...leader, amount: BigInt(amount), extension_commitment: commitment },
        witness: placeholderOf(KEY),
      }
    })
    const next = (file.transfer_arguments.next_states as readonly Json[]).map((state, at) => ({
      ...stateOf(state),
      amount: BigInt(given.next_state_amounts[at]),
      owner_scheme: byte(given.next_state_owner_schemes_hex[at]),
      extension_commitment: given.next_state_extension_commitments_hex[at] as string,
    }))
    const witness = String(given.witness_hex).replace(SIGNATURE, placeholderOf(KEY))
    const run = (): boolean => isAccepted(token, { inputs: [{ state: leader, witness }, ...delegates], next })
    compare('standard_transfer', one.id, run, one.result === 'accept')
  }
}

/** An output that grows by what others add to it, without its owner: what they have left goes back to them. */
function borrowed(leader: TokenState, successor: TokenState, witness: string): Family {
  const added = delegateOf(1_000n)
  const left = leader.amount + added.state.amount - successor.amount
  return { inputs: [{ state: leader, witness }, added], next: [successor, { ...added.state, amount: left }] }
}

function compareBorrowing(token: TokenProgram, { borrowed_receive: given, ...file }: Json, compare: Compare): void {
  const { links, x_0_hex: first, initial_borrow_guard_hex: guard } = file.hash_chain
  const replaced = realGuards(links)
  for (const one of given.cases as readonly Json[]) {
    const leader = stateOf({
      ...given.common,
      amount: given.common.leader_amount,
      borrow_scheme_hex: one.borrow_scheme_hex,
      borrow_guard_hex: replaced(one.leader_borrow_guard_hex),
    })
    const successor = {
      ...leader,
      amount: BigInt(one.successor_amount),
      borrow_guard: replaced(one.successor_borrow_guard_hex),
      owner: (one.successor_owner_hex ?? leader.owner) as string,
    }
    const { inputs, next } = borrowed(leader, successor, borrowWitness(one.witness_hex))
    const [lead, ...others] = inputs
    const family: Family = {
      inputs: [{ ...lead, value: BigInt(one.leader_kas_value_sompi ?? 100_000_000) }, ...others],
      next,
      value: BigInt(one.successor_kas_value_sompi ?? 100_000_000),
    }
    compare('borrowed_receive', one.id, () => isAccepted(token, family), one.result === 'accept')
  }
  compare('hash_chain', 'initial guard', () => links.at(-1).x_hex, guard)
  for (const [at, { pubkey_hex: key, x_hex: x }] of (links as readonly Json[]).entries()) {
    const revealed: string = links[at - 1]?.x_hex ?? first
    compare('hash_chain', x, () => linkOf(revealed, key), x)
  }
  for (const { scheme, borrow_scheme_hex: schemeByte, witness_hex: witness } of file.borrow_witness) {
    const leader = {
      ...delegateOf(1_000n).state,
      borrow_scheme: byte(schemeByte),
      borrow_guard: { 1: ZERO_HASH, 2: KEY, 3: linkOf(String(witness).slice(2, 66), KEY) }[byte(schemeByte)] ?? '',
    }
    const guarded = byte(schemeByte) === 3 ? String(witness).slice(2, 66) : leader.borrow_guard
    const successor = { ...leader, amount: 1_001n, borrow_guard: guarded }
    compare(
      'borrow_witness',
      scheme,
      () => isAccepted(token, borrowed(leader, successor, borrowWitness(witness))),
      true,
    )
  }
}

/** The guard that a link of a chain of one-time keys hashes to. */
const linkOf = (revealed: string, key: string): string => toHex(blake3(fromHex(`${revealed}${key}`)))

/** The guards of the vectors' chain, with the last one as that of the key that takes the place of its key. */
function realGuards(links: readonly Json[]): (guard: string) => string {
  const [before, last] = links.slice(-2)
  return (guard) => (guard === last?.x_hex ? linkOf(before?.x_hex, KEY) : guard)
}

/** The witness of a borrower: where it ends with a key and its signature, both are those of the key at hand. */
function borrowWitness(witness: string): string {
  if (!witness.endsWith(SIGNATURE)) return witness
  const link = witness.slice(2, 66)
  return witness.length === 2 + SIGNATURE.length ? `01${placeholderOf(KEY)}` : `01${link}${KEY}${placeholderOf(KEY)}`
}

/** What this library passes for an owner, and what the program says of it. */
function compareWitnesses({ owner_witness: witnesses }: Json, compare: Compare): void {
  for (const { scheme, owner_scheme_hex: schemeByte, witness_hex: witness, p2pkh_hash_hex: hash } of witnesses) {
    const owner = ownerOf(byte(schemeByte), witness)
    const fields = fieldsOf(owner, 'owner').find((one) => one.owner_scheme === byte(schemeByte))
    if (hash !== undefined) compare('owner_witness', `${String(scheme)} hash`, () => fields?.owner, hash)
    const parts = (): string =>
      witnessOf(owner, fields ?? { owner: '', owner_scheme: -1 })
        .map((part) => (typeof part === 'string' ? part : part instanceof Uint8Array ? toHex(part) : SIGNATURE))
        .join('')
    // tokens of a script are received, and not sent yet
    if (byte(schemeByte) === 3) compare('owner_witness', scheme, () => isUnsupported(parts), true)
    else compare('owner_witness', scheme, () => `00${parts()}`, witness)
  }
}

/** The owner whose witness is given: a key where the scheme has one. */
function ownerOf(scheme: number, witness: string): TokenOwner {
  const key = witness.slice(2, -SIGNATURE.length)
  if (scheme === 0) return encodeAddress('kaspa', 'PubKey', fromHex('11'.repeat(32)))
  if (scheme === 1) return encodeAddress('kaspa', 'PubKey', fromHex(key))
  if (scheme === 2) return encodeAddress('kaspa', 'PubKeyECDSA', fromHex(key))
  return scheme === 3
    ? (toAddress({ version: 0, script: scriptOfHash('51') }, 'kaspa') ?? '')
    : { covenantId: '11'.repeat(32) }
}

function isUnsupported(run: () => unknown): boolean {
  try {
    run()
  } catch (error) {
    return error instanceof Error && 'code' in error && error.code === 'unsupported'
  }
  return false
}

/** The call of the vectors, encoded and read back. */
function compareCall(token: TokenProgram, given: Json, compare: Compare): void {
  const { contract, transfer } = token
  const next = (given.next_states as readonly Json[]).map(stateOf)
  const args = { [transfer.states]: next, [transfer.witness]: given.witness_hex as string }
  const pushes = [...given.grouped_field_pushes_hex, given.witness_push_hex, given.dispatch_tag_push_hex].join('')
  compare('transfer_arguments', 'call', () => contract.encodeCall(transfer.entry as never, args as never), pushes)
  compare('transfer_arguments', 'decodeCall', () => decodeCall(contract, `${pushes}0151`)?.args, args)
}

/** Each approval for a leader and for a delegate. */
function compareApprovals(
  token: TokenProgram,
  { constructions, approval_checks: checks }: Json,
  compare: Compare,
): void {
  for (const { id, construction, context, expected } of checks) {
    const { authority_value: owner, scheme_byte: scheme } = (constructions as readonly Json[]).find(
      (one) => one.id === construction,
    )!
    const state: TokenState = { ...delegateOf(1_000n).state, owner, owner_scheme: byte(scheme) }
    for (const place of ['leader', 'delegate'] as const) {
      const { witness, ...others } = approvalOf(context, state, place === 'leader' ? 1 : 2)
      const family = (): Family => {
        if (place === 'leader') return { inputs: [{ state, witness: `00${witness}` }], next: [state], ...others }
        const leader = delegateOf(1n)
        const inputs = [
          { ...leader, witness: `00${leader.witness}` },
          { state, witness },
        ] as const
        return { inputs, next: [{ ...state, amount: 1_001n }], ...others }
      }
      compare('approval_checks', `${String(id)} of a ${place}`, () => isAccepted(token, family()), expected)
    }
  }
}

/** What a context shows: a key with its signature, inputs with their scripts, or covenants. `first`: the next input. */
function approvalOf(
  context: Json,
  { owner, owner_scheme: scheme }: TokenState,
  first: number,
): Pick<Family, 'covenantId' | 'others' | 'created'> & { readonly witness: string } {
  const { public_key: key, signature_valid: isValid } = context
  if (scheme === 3) {
    const scripts = context.input_script_public_keys as readonly Json[]
    const others = scripts.map(({ version, script }) => ({ scriptPublicKey: { version, script } }))
    const named = scripts.findIndex(({ script }) => String(script).includes(owner))
    return { witness: toHex(Uint8Array.of(first + Math.max(named, 0))), others }
  }
  if (scheme === 4) {
    const [own, ...ids] = context.input_covenant_ids as readonly (string | null)[]
    const others = ids.map((id) => ({ covenantId: id ?? undefined }))
    const created: readonly string[] = context.output_covenant_ids
    return { witness: '', others, created, ...(own === null || own === undefined ? {} : { covenantId: own }) }
  }
  const signature = isValid ? placeholderOf(key) : `${placeholderOf(key).slice(0, -4)}0001`
  return { witness: scheme === 0 ? signature : `${String(key)}${signature}` }
}
