import { isInterrupted } from '../../errors/interrupted.js'
import { NETWORKS } from '../../model/network.js'
import type { CallOptions } from '../queries/call.js'
import { build, type BuiltTransaction } from './build.js'
import type { TransactionDependencies } from './dependencies.js'
import type { Draft } from './plan/draft.js'
import { createHeldTx, type HeldTx } from './pending.js'
import type { CheckedSettings } from './settings.js'
import type { EcdsaSigner } from './sign/ecdsa.js'
import type { Keyring } from './sign/keyring.js'
import { createDeliver } from './submit/deliver.js'
import { createHold } from './submit/hold.js'
import { createMark } from './submit/mark.js'
import { createSubmission, type Submit } from './submit/submission.js'
import { submitAll } from './submit/submit-all.js'

/** The transactions of a plan, ready to be signed and submitted; their coins are not held yet. */
export function toHeld(
  drafts: readonly Draft[],
  { network, replaces }: Pick<CheckedSettings, 'network' | 'replaces'>,
  ecdsa: EcdsaSigner | undefined,
  dependencies: TransactionDependencies,
): readonly HeldTx[] {
  const { call, sdk, reservations } = dependencies
  const mark = createMark(dependencies)
  const deliver = createDeliver(call, replaces)
  return build(drafts).map((built) => {
    const submit = createSubmission(built.id, { ...dependencies, deliver, mark })
    return createHeldTx(built, {
      sdk,
      ecdsa,
      prefix: NETWORKS[network].addressPrefix,
      hold: createHold(reservations, outpointsOf(built)),
      send: replaces === undefined ? submit : telling(submit, (by) => dependencies.replaced(replaces, by)),
    })
  })
}

/**
 * Signs all and submits all, in order. Nothing goes out before everything is signed. On failure the coins of what did not
 * go out are given back. `openKeys` reads the keys, and may throw; they are let go of before anything is sent.
 */
export async function signAndSubmit(
  held: readonly HeldTx[],
  openKeys: () => Keyring,
  options: CallOptions,
): Promise<readonly string[]> {
  try {
    signAll(held, openKeys())
  } catch (error) {
    for (const { drop } of held) drop()
    throw error
  }
  try {
    return await submitAll(
      held.map(({ transaction }) => transaction),
      options,
    )
  } catch (error) {
    const tried = isInterrupted(error) ? error.submitted.length + 1 : 1 // what was tried has settled its own hold
    for (const { drop } of held.slice(tried)) drop()
    throw error
  }
}

function signAll(held: readonly HeldTx[], keyring: Keyring): void {
  for (const { signWith } of held) signWith(keyring)
  for (const { requireSigned } of held) requireSigned()
}

/** What the network already has; coins that the plan itself makes are nobody else's to pick. */
const outpointsOf = ({ spent }: BuiltTransaction): BuiltTransaction['spent'][number]['outpoint'][] =>
  spent.filter(({ origin }) => origin === 'network').map(({ outpoint }) => outpoint)

/** The same, and tells once it is through. */
const telling =
  (submit: Submit, tell: (id: string) => void): Submit =>
  async (transaction, signal) => {
    const id = await submit(transaction, signal)
    tell(id)
    return id
  }
