// What other parts of the console use of notifications.

export { NotificationMenu } from './notification-menu.tsx';
export { NotificationSection } from './notification-section.tsx';
