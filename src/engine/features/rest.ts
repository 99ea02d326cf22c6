import { distinctUntilChanged, map, type Observable } from 'rxjs'
import type { ChainNetwork } from '../../model/network.js'
import { createAnswers, type Answers } from '../../rest/answers.js'
import { createClientOn, type ChainRestClient } from '../../rest/client.js'
import { restUrlOf, type ChainRestOptions } from '../../rest/options.js'
import type { ChainCore } from '../core.js'

/** The REST clients of a core. Those of one base URL and the same headers share their answers. */
export interface RestClients {
  /** The client for the network of the moment. */
  readonly now: (options?: ChainRestOptions) => ChainRestClient
  /** The same, and another one when the network changes: the base follows it, unless one was set. */
  readonly client$: (options?: ChainRestOptions) => Observable<ChainRestClient>
}

/** Makes clients of the indexer; their answers are dropped with the core. */
export function restClients(core: ChainCore): RestClients {
  const shared = new Map<string, Answers>()
  core.lifetime.add(() => shared.forEach((answers) => answers.dispose()))

  function answersOf(options: ChainRestOptions): Answers {
    const key = JSON.stringify([options.baseUrl?.replace(/\/+$/, ''), [...new Headers(options.headers)]])
    const answers = shared.get(key) ?? createAnswers()
    shared.set(key, answers)
    return answers
  }

  const clientOf = (options: ChainRestOptions): ChainRestClient =>
    createClientOn(answersOf(options), options, core.platform)

  return {
    now: (options) => clientOf(resolve(core, core.options.network, options)),
    client$: (options) =>
      core.network$.pipe(
        map((network) => resolve(core, network, options)),
        distinctUntilChanged((before, now) => before.baseUrl === now.baseUrl && before.network === now.network),
        map(clientOf),
      ),
  }
}

/** What the call says, then the core's options, then what suits the network. A base of the call's own may serve any network. */
function resolve({ options }: ChainCore, network: ChainNetwork, given: ChainRestOptions = {}): ChainRestOptions {
  const baseUrl = given.baseUrl ?? options.restUrl ?? options.rest?.baseUrl ?? restUrlOf(network)
  return {
    ...options.rest,
    ...given,
    baseUrl,
    network: given.network ?? (given.baseUrl === undefined ? network : undefined),
  }
}
