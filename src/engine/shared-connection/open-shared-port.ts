import { filter, fromEvent, map } from 'rxjs'
import type { NodePort } from '../../node/port.js'
import { holdOwnLock } from '../../platform/hold-lock.js'
import { scopeOfName } from '../../wrpc/shared/reception.js'
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
  return createSharedPort({
    ...deps,
    scope: scopeOfName(name),
    connectWorker: (onBlocked) => openSharedWorker(workerUrl, onBlocked),
    holdLock: holdOwnLock,
    newId: () => crypto.randomUUID(),
    restored$: fromEvent<PageTransitionEvent>(globalThis, 'pageshow').pipe(
      filter(({ persisted }) => persisted),
      map(() => undefined),
    ),
  })
}
