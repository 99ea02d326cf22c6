import { Subject } from 'rxjs'
import type { Book } from './book.js'

/** What those who keep the books are told by those who show them. */
export interface BookOrders {
  /** Books were opened, or got another holder. */
  readonly opened$: Subject<void>
  /** Books are to be read again. */
  readonly invalidated$: Subject<readonly Book[]>
  /** The mempool is to be looked at now for what is on its way to books. */
  readonly looks$: Subject<readonly Book[]>
  /** The time has come to look for those who want a look every so many ms. */
  readonly ticked$: Subject<number>
}

export const createOrders = (): BookOrders => ({
  opened$: new Subject(),
  invalidated$: new Subject(),
  looks$: new Subject(),
  ticked$: new Subject(),
})
