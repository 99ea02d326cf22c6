import { ChainError } from '../../errors/chain-error.js'
import { redact } from '../../errors/redact.js'
import { entriesOf, type ChainLocator, type LocatorEntry } from '../../model/chain-cursor/locator.js'
import type { Session } from '../session/establish.js'
import { denies, hasTip, newestShared, readChainBlock } from './denial.js'
import type { ChainHeader } from './header.js'
import type { FollowScope } from './scope.js'
import type { FollowSettings } from './settings.js'
import type { Witness } from './witnesses.js'

/** A position that is no block of the chain, and where the iteration goes on. */
export interface Rewind {
  readonly to: ChainHeader
  /** The endpoints that deny the position. */
  readonly urls: readonly string[]
}

/**
 * Where a node stays behind a position, or its chain cannot continue it: one that two endpoints of different hosts deny
 * counts as removed, whatever its work was, because the node that followed it last may have invented the block, its
 * blue score or its blue work. With `onBehind: 'rewind'` the connected node is enough. Null: wait.
 */
export async function resolveBehind(
  scope: FollowScope,
  locator: ChainLocator,
  { connection }: Session,
  { onBehind }: Pick<FollowSettings, 'onBehind'>,
): Promise<Rewind | null> {
  const { tip } = locator
  const { url } = connection.endpoint
  let isDenied: boolean | undefined // requested where there is a witness
  for await (const witness of scope.witnesses(url)) {
    isDenied ??= await denies(scope, tip, scope.time())
    const to = isDenied ? await whereBoth(scope, witness, locator) : null
    if (to !== null) return { to, urls: [url, witness.url].map((each) => redact(each)) }
  }
  if (onBehind !== 'rewind' || !(await scope.call('getServerInfo', {})).isSynced) return null
  const to = (await hasTip(scope, tip)) ? null : await newestShared(locator, [scope])
  return to === null ? null : { to, urls: [redact(url)] }
}

/** The newest block that both nodes have, where the witness denies the position too. */
async function whereBoth(scope: FollowScope, witness: Witness, locator: ChainLocator): Promise<ChainHeader | null> {
  try {
    return (await denies(witness, locator.tip, scope.time())) ? await newestShared(locator, [scope, witness]) : null
  } catch (error) {
    if (error instanceof ChainError) return null // it says nothing
    throw error
  }
}

/**
 * Whether an endpoint of another host has a block of the position on its chain: then a node that has none is at fault.
 */
export async function isKnownElsewhere(
  scope: FollowScope,
  locator: ChainLocator,
  { connection }: Session,
): Promise<boolean> {
  const has = async (witness: Witness, { hash }: LocatorEntry): Promise<boolean> =>
    readChainBlock(witness, hash).then(
      (header) => header !== null,
      () => false,
    )
  for await (const witness of scope.witnesses(connection.endpoint.url))
    for (const entry of entriesOf(locator)) if (await has(witness, entry)) return true
  return false
}
