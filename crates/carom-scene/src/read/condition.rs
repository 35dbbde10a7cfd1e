//! Conditions on contacts.

use crate::error::Flaw;
use crate::fault::Fault;
use crate::feedback::{SceneCondition, formula};
use crate::parts::PairPart;
use crate::read::view::View;
use crate::spec::run::CONTACT;
use carom::control::Bounds;
use carom::model::Model;

/// All conditions; `pairs` are those of the model, in its order.
pub(crate) fn conditions(
    scene: &View<'_>,
    pairs: &[PairPart],
    model: &Model,
) -> Result<Vec<SceneCondition>, Flaw> {
    let mut all = Vec::new();
    for (number, contact) in scene.list("contact", &CONTACT).into_iter().enumerate() {
        for (key, bounds) in [("while", Bounds::Exists), ("touch", Bounds::MayTouch)] {
            let Some(text) = contact.text(key) else { continue };
            let formula = formula(text, model).map_err(|source| {
                let (owner, key) = (contact.owner.clone(), key.to_string());
                contact.flaw(&key.clone(), Fault::Expression { owner, key, source })
            })?;
            if !formula.is_condition() {
                let (owner, key) = (contact.owner.clone(), key.to_string());
                let expected =
                    "a condition: <, <=, > or >= between continuous values, with and, or, not";
                let fault = Fault::Unreadably { owner, key: key.clone(), expected };
                return Err(contact.flaw(&key, fault));
            }
            let own = pairs.iter().enumerate().filter(|(_, p)| p.contact == Some(number));
            let pairs = own.map(|(i, _)| i).collect();
            all.push(SceneCondition { pairs, bounds, text: text.into(), formula });
        }
    }
    Ok(all)
}
