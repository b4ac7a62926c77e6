import type { Locale } from '@tyrian/contract';

// The mails of signing in, in the language of their reader. Plain text: nothing of a mail can be mistaken for
// something else, and a name that a user chose stays text.

const TEXTS = {
  'en-US': {
    greeting: 'Hello {name},',
    code: [
      'Your sign-in code',
      'your code to sign in to Tyrian:',
      '{code}',
      'It works once, within ten minutes. If you are not signing in right now, somebody knows your password: change it.',
    ],
    forgot: [
      'Set a new password',
      'somebody, probably you, asked to set a new password for your account on Tyrian. The link works once, within one hour:',
      '{link}',
      'If it was not you, do nothing: your password stays as it is.',
    ],
    reset: [
      'Set a new password',
      'an administrator asks you to set a new password for your account on Tyrian. The link works once, within 24 hours:',
      '{link}',
    ],
    set: [
      'Your account on Tyrian',
      'there is an account for you on Tyrian. Set your password with this link; it works once, within seven days:',
      '{link}',
    ],
    elsewhere: [
      'Your password is kept elsewhere',
      'somebody, probably you, asked to set a new password for your account on Tyrian. Your organization signs in with its own directory or identity provider, so the password is changed there, not here.',
    ],
    changed: [
      'Your password was changed',
      'the password of your account on Tyrian was changed, and every session was ended. If it was not you, tell your administrator at once.',
    ],
    mfaReset: [
      'Your second factor was reset',
      'an administrator removed the second factor of your account on Tyrian. At your next sign-in you set up a new one with a QR code. If you did not ask for this, tell your administrator at once.',
    ],
  },
  'fr-FR': {
    greeting: 'Bonjour {name},',
    code: [
      'Votre code de connexion',
      'votre code pour vous connecter à Tyrian :',
      '{code}',
      "Il n'est valable qu'une fois, pendant dix minutes. Si vous n'êtes pas en train de vous connecter, quelqu'un connaît votre mot de passe : changez-le.",
    ],
    forgot: [
      'Choisir un nouveau mot de passe',
      "quelqu'un, sans doute vous, a demandé un nouveau mot de passe pour votre compte sur Tyrian. Le lien n'est valable qu'une fois, pendant une heure :",
      '{link}',
      "Si ce n'était pas vous, ne faites rien : votre mot de passe reste le même.",
    ],
    reset: [
      'Choisir un nouveau mot de passe',
      "un administrateur vous demande de choisir un nouveau mot de passe pour votre compte sur Tyrian. Le lien n'est valable qu'une fois, pendant 24 heures :",
      '{link}',
    ],
    set: [
      'Votre compte sur Tyrian',
      'un compte a été créé pour vous sur Tyrian. Choisissez votre mot de passe avec ce lien, valable une fois pendant sept jours :',
      '{link}',
    ],
    elsewhere: [
      'Votre mot de passe est conservé ailleurs',
      "quelqu'un, sans doute vous, a demandé un nouveau mot de passe pour votre compte sur Tyrian. Votre organisation se connecte avec son propre annuaire ou fournisseur d'identité : le mot de passe se change là-bas, pas ici.",
    ],
    changed: [
      'Votre mot de passe a été changé',
      "le mot de passe de votre compte sur Tyrian a été changé et toutes les sessions ont pris fin. Si ce n'était pas vous, prévenez tout de suite votre administrateur.",
    ],
    mfaReset: [
      'Votre second facteur a été réinitialisé',
      "un administrateur a retiré le second facteur de votre compte sur Tyrian. À la prochaine connexion, vous en configurerez un nouveau avec un code QR. Si vous ne l'avez pas demandé, prévenez tout de suite votre administrateur.",
    ],
  },
  'ru-RU': {
    greeting: 'Здравствуйте, {name}!',
    code: [
      'Ваш код для входа',
      'Ваш код для входа в Tyrian:',
      '{code}',
      'Он действует один раз в течение десяти минут. Если вы сейчас не входите, кто-то знает ваш пароль: смените его.',
    ],
    forgot: [
      'Новый пароль',
      'Кто-то, вероятно вы, запросил новый пароль для вашей учётной записи в Tyrian. Ссылка действует один раз в течение часа:',
      '{link}',
      'Если это были не вы, ничего не делайте: пароль останется прежним.',
    ],
    reset: [
      'Новый пароль',
      'Администратор просит вас задать новый пароль для вашей учётной записи в Tyrian. Ссылка действует один раз в течение 24 часов:',
      '{link}',
    ],
    set: [
      'Ваша учётная запись в Tyrian',
      'Для вас создана учётная запись в Tyrian. Задайте пароль по этой ссылке; она действует один раз в течение семи дней:',
      '{link}',
    ],
    elsewhere: [
      'Ваш пароль хранится в другом месте',
      'Кто-то, вероятно вы, запросил новый пароль для вашей учётной записи в Tyrian. Ваша организация входит через собственный каталог или поставщика удостоверений, поэтому пароль меняется там, а не здесь.',
    ],
    changed: [
      'Ваш пароль изменён',
      'Пароль вашей учётной записи в Tyrian изменён, все сеансы завершены. Если это были не вы, сразу сообщите администратору.',
    ],
    mfaReset: [
      'Второй фактор сброшен',
      'Администратор удалил второй фактор вашей учётной записи в Tyrian. При следующем входе вы настроите новый с помощью QR-кода. Если вы об этом не просили, сразу сообщите администратору.',
    ],
  },
  'zh-CN': {
    greeting: '{name}，您好：',
    code: [
      '您的登录验证码',
      '您登录 Tyrian 的验证码：',
      '{code}',
      '验证码在十分钟内有效，仅可使用一次。如果您此刻没有登录，说明有人知道您的密码，请立即修改。',
    ],
    forgot: [
      '设置新密码',
      '有人（可能是您本人）请求为您的 Tyrian 账户设置新密码。该链接在一小时内有效，仅可使用一次：',
      '{link}',
      '如果不是您本人操作，请忽略此邮件，您的密码不会改变。',
    ],
    reset: [
      '设置新密码',
      '管理员请您为 Tyrian 账户设置新密码。该链接在 24 小时内有效，仅可使用一次：',
      '{link}',
    ],
    set: [
      '您的 Tyrian 账户',
      '已为您创建 Tyrian 账户。请通过以下链接设置密码，链接在七天内有效，仅可使用一次：',
      '{link}',
    ],
    elsewhere: [
      '您的密码保存在别处',
      '有人（可能是您本人）请求为您的 Tyrian 账户设置新密码。您的组织使用自己的目录或身份提供商登录，因此请在那里修改密码。',
    ],
    changed: [
      '您的密码已更改',
      '您的 Tyrian 账户密码已更改，所有会话均已结束。如果不是您本人操作，请立即告知管理员。',
    ],
    mfaReset: [
      '您的第二验证因素已重置',
      '管理员已移除您的 Tyrian 账户的第二验证因素。下次登录时，您将通过二维码设置新的验证因素。如果您没有提出此请求，请立即告知管理员。',
    ],
  },
} as const satisfies Record<Locale, Record<string, string | readonly string[]>>;

export type AuthMailKind = Exclude<keyof (typeof TEXTS)['en-US'], 'greeting'>;

/** Subject and text of a mail. `{…}` in the texts is filled from `values`; line breaks in values become spaces. */
export function authMail(
  kind: AuthMailKind,
  locale: Locale,
  values: { readonly name: string; readonly code?: string; readonly link?: string },
): { subject: string; text: string } {
  const [subject, ...paragraphs] = TEXTS[locale][kind];
  const fill = (text: string) =>
    text.replace(/\{(name|code|link)\}/g, (_, key: 'name' | 'code' | 'link') =>
      (values[key] ?? '').replace(/\s+/g, ' '),
    );
  const text = [TEXTS[locale].greeting, ...paragraphs, '— Tyrian'].map(fill).join('\n\n');
  return { subject: `Tyrian: ${subject}`, text: `${text}\n` };
}
