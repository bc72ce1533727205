package io.rowmark.app.config;

import java.util.regex.Pattern;

/** Decides which settings are secret and hides them wherever a configuration is shown. */
public final class SecretMask {
  /** What is shown in place of a secret. */
  public static final String MASK = "******";

  /** The words that make a setting secret; Spark's own screens get the same list. */
  public static final String SECRET_WORDS =
      "(?i)password|passwd|passphrase|secret|token|credential|key-id|access[-._]?key|account[-._]?key"
          + "|private[-._]?key|sas[-._]|authorization|jwt";

  private static final Pattern SECRET_KEY = Pattern.compile(SECRET_WORDS);
  private static final Pattern USER_INFO = Pattern.compile("(?<=://)[^/@\\s]+(?=@)");
  private static final Pattern PARAMETER =
      Pattern.compile("(?<=[?&;])((?:password|passwd|secret|token|sig|credential)=)[^&;]*");

  private SecretMask() {}

  /** Whether the value of a setting, or a line that mentions it, must not be shown. */
  public static boolean isSecret(String key) {
    return SECRET_KEY.matcher(key).find();
  }

  /** The value as it may be shown: hidden if the key is secret, else without embedded passwords. */
  public static String show(String key, String value) {
    return isSecret(key) ? MASK : withoutCredentials(value);
  }

  /** Hides user names and passwords within addresses. */
  public static String withoutCredentials(String text) {
    String withoutUser = USER_INFO.matcher(text).replaceAll(MASK);
    return PARAMETER.matcher(withoutUser).replaceAll("$1" + MASK);
  }
}
