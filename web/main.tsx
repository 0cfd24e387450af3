import { StrictMode } from 'react'
import { createRoot } from 'react-dom/client'
import { createBrowserRouter } from 'react-router'
import { RouterProvider } from 'react-router/dom'
import { config } from 'zod'
import { createQueryClient } from './api/read.ts'
import { createRoutes } from './routes.tsx'
import './ui/theme.css'

// zod compiles its checks with `new Function`, which the content security policy refuses.
config({ jitless: true })

const root = document.getElementById('root')
if (!root) throw new Error('The page has no element with the id "root"')

createRoot(root).render(
  <StrictMode>
    <RouterProvider router={createBrowserRouter(createRoutes(createQueryClient()))} />
  </StrictMode>,
)
