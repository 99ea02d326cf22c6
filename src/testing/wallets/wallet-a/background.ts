import { refuse } from '../refuse.js'
import { ASKS, type Ask } from './asks.js'
import { noWallet, unauthorized } from './errors.js'
import { standingOf, type Kasware } from './extension.js'
import { READS, type Read } from './reads.js'
import type { Approve } from './windows.js'

const reads: Readonly<Record<string, Read>> = READS
const asks: Readonly<Record<string, Ask>> = ASKS

/**
 * What KasWare does with a call from the site that it takes the page for; null is a page that it does not know yet.
 * Reads answer at once; everything else first has the wallet unlocked, then the site permitted.
 */
export async function handleCall(
  kasware: Kasware,
  origin: string | null,
  approve: Approve,
  method: string,
  params: readonly unknown[],
): Promise<unknown> {
  const { vault } = kasware
  if (vault.state.status === 'empty') return refuse(noWallet)
  const read = reads[method]
  if (read !== undefined) return read(kasware, standingOf(vault, origin), params)
  const ask = asks[method]
  if (ask === undefined) return refuse(noHandler(method))
  await unlock(kasware, approve)
  await admit(kasware, origin, approve)
  return ask(kasware, approve, params)
}

async function unlock({ vault }: Kasware, approve: Approve): Promise<void> {
  if (vault.state.status !== 'locked') return
  await approve('unlock')
  vault.update({ status: 'unlocked' })
}

async function admit({ vault }: Kasware, origin: string | null, approve: Approve): Promise<void> {
  if (standingOf(vault, origin) === 'permitted') return
  await approve('connect', origin)
  if (origin === null) return refuse(unauthorized) // asked too early: approved for a site without a name
  vault.allow(origin)
}

const noHandler = (method: string): object => ({
  code: -32601,
  message: `method [${method}] doesn't has corresponding handler`,
  data: { method },
})
