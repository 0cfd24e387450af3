export { Link, type LinkProps, Navigate, NavLink } from './Link.tsx'
export { matchRoutes, type Route } from './match.ts'
export { loadScreens, withScreens } from './on-demand.tsx'
export { Outlet, Routes, useOutletContext } from './outlet.tsx'
export {
  BrowserRouter,
  StaticRouter,
  useLeaveGuard,
  useLocation,
  useNavigate,
  useSearchParams,
} from './place.tsx'
