import { filter, fromEvent, map } from 'rxjs'
import type { NodePort } from '../../node/port.js'
import { holdOwnLock } from '../../platform/hold-lock.js'
import { PROTOCOL_VERSION } from '../../wrpc/shared/messages.js'
import { createSharedPort, type SharedPortDeps } from '../../wrpc/shared/shared-port.js'
import { openSharedWorker } from './open-shared-worker.js'

export interface OpenSharedPortDeps extends Omit<
  SharedPortDeps,
  'connectWorker' | 'holdLock' | 'scope' | 'newId' | 'restored$'
> {
  /** The option `shared.name`. */
  readonly name: string
  readonly workerUrl: string | URL | undefined
}

/** The `NodePort` over the shared worker of this page's origin. */
export function openSharedPort({ name, workerUrl, ...deps }: OpenSharedPortDeps): NodePort {
  const scope = `vue-chain/${name}/${PROTOCOL_VERSION}`
  return createSharedPort({
    ...deps,
    scope,
    connectWorker: (onBlocked) => openSharedWorker(scope, workerUrl, onBlocked),
    holdLock: holdOwnLock,
    newId: () => crypto.randomUUID(),
    restored$: fromEvent<PageTransitionEvent>(globalThis, 'pageshow').pipe(
      filter(({ persisted }) => persisted),
      map(() => undefined),
    ),
  })
}
