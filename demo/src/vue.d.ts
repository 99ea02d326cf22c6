/** For tools that read TypeScript only; vue-tsc knows each component by its own props. */
declare module '*.vue' {
  import type { DefineComponent } from 'vue'
  const component: DefineComponent
  export default component
}
