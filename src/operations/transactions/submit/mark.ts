import { ChainRpcError } from '../../../errors/rpc-error.js'
import type { TransactionDependencies } from '../dependencies.js'
import { isRefusal, isSilence } from './unsettled.js'

/** Where the chain's head was before anything of a plan went out: a lost transaction is looked for from there. */
export type Mark = () => Promise<string | undefined>

type MarkWorld = Pick<TransactionDependencies, 'call' | 'whenConnected'>

/** How often the node is asked, since an answer may be lost. */
const TRIES = 3

/** How many ms each further try waits for a connection. */
const PATIENCE = 12_000

/**
 * Asks once for a whole plan. Undefined where the node refuses to say: then only the mempool can be looked into. Rejects with
 * `ChainRpcError` where no answer comes, so that nothing is sent which could not be found again.
 */
export function createMark(world: MarkWorld): Mark {
  let known: string | undefined
  return async () => {
    try {
      return (known ??= await askForHead(world, TRIES))
    } catch (error) {
      if (isRefusal(error)) return undefined
      throw error instanceof ChainRpcError ? toNotSent(error) : error
    }
  }
}

async function askForHead({ call, whenConnected }: MarkWorld, tries: number): Promise<string> {
  try {
    return (await call('getSink', {})).sink
  } catch (error) {
    if (tries === 1 || !isSilence(error)) throw error
  }
  await whenConnected(PATIENCE)
  return askForHead({ call, whenConnected }, tries - 1)
}

const toNotSent = ({ cause, code }: ChainRpcError): ChainRpcError =>
  new ChainRpcError('submitTransaction', cause, { code, hint: 'Nothing was sent, and its coins are free again.' })
