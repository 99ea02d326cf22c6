import { ChainRpcError } from '../../../errors/rpc-error.js'
import type { TransactionDependencies } from '../dependencies.js'
import { isSilence } from './unsettled.js'

/**
 * Where the chain's head was before anything of a plan went out: a lost transaction is looked for from there. Rejects with
 * `ChainRpcError` where the node does not say, so that nothing is sent which could not be found again.
 */
export type Mark = () => Promise<string>

type MarkWorld = Pick<TransactionDependencies, 'call' | 'whenConnected'>

/** How often the node is asked, since an answer may be lost. */
const TRIES = 3

/** How many ms each further try waits for a connection. */
const PATIENCE = 12_000

/** Asks once for a whole plan. */
export function createMark(world: MarkWorld): Mark {
  let known: string | undefined
  return async () => {
    try {
      return (known ??= await askForHead(world, TRIES))
    } catch (error) {
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
