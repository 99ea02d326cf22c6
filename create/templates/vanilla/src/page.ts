import { fromEvent, map, merge, startWith, tap, type Observable, type Subscription } from 'rxjs'
import type { ChainEngine } from 'vue-chain/streams'
import type { Account, Order } from './pay'
import { balance$, connection$, payment$, score$ } from './texts'

/** Fills index.html, as long as it is subscribed: each element has one stream of texts. */
export function startPage(engine: ChainEngine, account: Account | null, recipient = ''): Subscription {
  const address = find<HTMLInputElement>('#address')
  const form = find<HTMLFormElement>('form')
  address.value = account?.address ?? ''
  find<HTMLInputElement>('[name=to]').value = recipient

  const address$ = fromEvent(address, 'input').pipe(
    startWith(null),
    map(() => address.value.trim()),
  )
  const orders$ = fromEvent(form, 'submit').pipe(
    tap((event) => event.preventDefault()),
    map(() => readOrder(form)),
  )
  return merge(
    show('#state', connection$(engine)),
    show('#score', score$(engine)),
    show('#balance', balance$(engine, address$)),
    show('#payment', payment$(engine, account, orders$)),
  ).subscribe()
}

function show(selector: string, text$: Observable<string>): Observable<string> {
  const element = find(selector)
  return text$.pipe(tap((text) => (element.textContent = text)))
}

function readOrder(form: HTMLFormElement): Order {
  const data = new FormData(form)
  const read = (name: string): string => String(data.get(name) ?? '').trim()
  return { to: read('to'), amount: read('amount') }
}

function find<E extends Element = HTMLElement>(selector: string): E {
  const element = document.querySelector<E>(selector)
  if (element === null) throw new Error(`index.html has no ${selector}`)
  return element
}
