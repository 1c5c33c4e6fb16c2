//! Things of the catalog are written down by their words, which are stable for ever.

use serde::de::Error;
use serde::{Deserialize, Deserializer, Serialize, Serializer};

use crate::cause::{Cause, Evidence};
use crate::issues::Issue;
use crate::verdict::Verdict;

macro_rules! by_word {
    ($($name:ident)+) => {$(
        impl Serialize for $name {
            fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
                serializer.serialize_str(self.id())
            }
        }

        impl<'de> Deserialize<'de> for $name {
            fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<$name, D::Error> {
                let word = String::deserialize(deserializer)?;
                $name::from_id(&word).ok_or_else(|| D::Error::custom(format_args!("no word of the catalog: {word}")))
            }
        }
    )+};
}

by_word! { Issue Verdict Cause Evidence }
